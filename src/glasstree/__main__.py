"""The command's door and `python -m glasstree`: Ctrl-C is heard while the rest is imported."""

import sys


def main() -> None:
    """Run the command line."""
    try:
        from glasstree.cli import main as run
    except KeyboardInterrupt:
        sys.stderr.write("glasstree: interrupted before anything began\n")
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
