"""Print the lowest versions that pyproject.toml allows, as constraints for pip.

python lowest.py > constraints.txt
"""

import re
import tomllib
from pathlib import Path
from typing import Any

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"
# the Makefile says which: other versions bring gigabytes for graphics cards
FREE = {"torch"}


def lowest(project: dict[str, Any]) -> dict[str, str]:
    """Return the least version of each package that the library or one of its extras names.

    >>> lowest({"dependencies": ["a>=1.0"], "optional-dependencies": {"x": ["b-c[d]>=2", "e[x]"]}})
    {'a': '1.0', 'b-c': '2'}
    """
    extras = project["optional-dependencies"].values()
    wanted = [*project["dependencies"], *(word for part in extras for word in part)]
    found = (re.fullmatch(r"([\w-]+)(\[.*\])?>=([\d.]+)", word) for word in wanted)
    return {match[1]: match[3] for match in found if match and match[1] not in FREE}


if __name__ == "__main__":
    for name, version in lowest(tomllib.loads(PYPROJECT.read_text())["project"]).items():
        print(f"{name}=={version}")
