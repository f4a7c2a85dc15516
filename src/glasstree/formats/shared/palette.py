"""One colour an action, told apart by people who see colours differently (Okabe and Ito)."""

COLOURS = ("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#0072b2", "#d55e00", "#999999")


def colour(action: int) -> str:
    """Return the colour of an action."""
    return COLOURS[action % len(COLOURS)]
