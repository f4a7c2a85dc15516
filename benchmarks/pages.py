"""Measured tables, written into documentation pages between two marks."""

import re
from pathlib import Path


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def put(page: Path, name: str, text: str) -> None:
    """Replace what stands between <!-- name --> and <!-- /name --> in a page."""
    marks = f"<!-- {name} -->", f"<!-- /{name} -->"
    pattern = re.escape(marks[0]) + ".*?" + re.escape(marks[1])
    written = f"{marks[0]}\n{text}\n{marks[1]}"
    changed, count = re.subn(
        pattern, lambda _: written, page.read_text(encoding="utf-8"), flags=re.DOTALL
    )
    if count != 1:
        raise SystemExit(f"{page} has no place for {name}: {marks[0]} ... {marks[1]}")
    page.write_text(changed, encoding="utf-8")
