"""Import every module of the package, which compiles the kernels that are not on disk yet.

python kernels.py
"""

from importlib import import_module
from pkgutil import walk_packages

import glasstree

if __name__ == "__main__":
    for module in walk_packages(glasstree.__path__, "glasstree."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
