"""Colours of actions and policies, for people who see colours differently too (Okabe and Ito)."""

COLOURS = ("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#0072b2", "#d55e00", "#999999")
POLICY_COLOURS = {"oracle": "#999999", "open loop": "#56b4e9", "closed loop": "#e69f00"}
FINAL_COLOUR = "#d55e00"
INK = "#102030"  # nearly black; on a dark page it becomes the page's own
WHITE_ABOVE = 4.5  # contrast of text that WCAG asks for


def colour(action: int) -> str:
    """Return the colour of an action."""
    return COLOURS[action % len(COLOURS)]


def ink(background: str) -> str:
    """Return black or white, whichever can be read on a colour.

    >>> ink("#f0e442"), ink("#0072b2")
    ('#000000', '#ffffff')
    """
    light = luminance(background)
    return "#ffffff" if 1.05 / (light + 0.05) >= WHITE_ABOVE else "#000000"


def luminance(text: str) -> float:
    """Return the relative luminance of a colour, as accessibility guidelines define it."""
    channels = [int(text[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(share * c for share, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def policy_colour(name: str) -> str:
    """Return the colour of a stage's lines."""
    return POLICY_COLOURS.get(name, FINAL_COLOUR)
