"""Write the table of docs/oracles.md from the cards of the oracles that come with glasstree.

python benchmarks/plants/shipped.py
"""

from pathlib import Path

from glasstree.oracles import load_oracle, oracle_card, oracle_names

PAGE = Path(__file__).parents[2] / "docs" / "oracles.md"
BEGIN, END = "<!-- shipped: begin -->", "<!-- shipped: end -->"
HEAD = "| task | algorithm | parameters | mean reward | success | episodes |"
RULE = "|---|---|---|---|---|---|"


def row(name: str) -> str:
    """Return the line of an oracle."""
    card, oracle = oracle_card(name), load_oracle(name)
    score = card.score
    success = "-" if score.success_rate is None else f"{100 * score.success_rate:.1f} %"
    figures = f"{oracle.n_parameters:,} | {score.mean_reward:,.1f} | {success}"
    return f"| {name} | {card.algorithm} | {figures} | {score.episodes:,} |"


def main() -> None:
    """Write the page."""
    before, _, rest = PAGE.read_text().partition(BEGIN)
    lines = [HEAD, RULE, *map(row, oracle_names())]
    PAGE.write_text("\n".join([before + BEGIN, *lines, END + rest.partition(END)[2]]))


if __name__ == "__main__":
    main()
