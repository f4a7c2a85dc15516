"""Entry point of `glasstree` and `python -m glasstree`; Ctrl-C works during imports too."""

import io
import sys


def main() -> None:
    """Run the command line."""
    write_whole()
    try:
        from glasstree.cli import main as run
    except KeyboardInterrupt:
        sys.stderr.write("glasstree: interrupted before anything began\n")
        sys.exit(130)
    run()


def write_whole() -> None:
    """Buffer standard output: without a buffer, text can be cut off without an error."""
    if isinstance(sys.stdout, io.TextIOWrapper) and isinstance(sys.stdout.buffer, io.RawIOBase):
        whole = io.BufferedWriter(sys.stdout.buffer)
        sys.stdout = io.TextIOWrapper(whole, sys.stdout.encoding, line_buffering=True)


if __name__ == "__main__":
    main()
