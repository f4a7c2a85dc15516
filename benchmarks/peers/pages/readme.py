"""What the README says of our pages of figures: the first paragraph of each."""

import re
from pathlib import Path

from glasstree.policy.document import write_atomically

BLOCK = re.compile(r"(?<=<!-- figures -->\n).*?(?=<!-- end of figures -->)", re.DOTALL)
PAGES = {"The rivals": "comparison.md", "The paper": "results.md"}
LIST = " Worse: "  # begins what is too long for the README


def refresh(readme: Path, docs: Path) -> None:
    """Put the first paragraphs of the pages into the README."""
    text = readme.read_text(encoding="utf-8")
    write_atomically(readme, BLOCK.sub(lambda _: words(docs), text).encode())


def words(docs: Path) -> str:
    """Return a line a page."""
    lines = (
        f"- **{name}.** {first(docs / page)} More: [docs/{page}](docs/{page}).\n"
        for name, page in PAGES.items()
    )
    return "".join(lines)


def first(page: Path) -> str:
    """Return the first paragraph below a page's title, on one line and without its list."""
    paragraph = page.read_text(encoding="utf-8").split("\n\n")[1]
    text = " ".join(paragraph.partition(LIST)[0].split())
    return text if text.endswith(".") else f"{text}."
