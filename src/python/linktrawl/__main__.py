"""Runs the program in place of the interpreter: `python -m linktrawl scan Mail`."""

from __future__ import annotations

import os
import sys

from linktrawl import binary


def main() -> None:
    """Replaces this process, so that signals and exit codes are the program's own."""
    try:
        path = binary()
    except FileNotFoundError as error:
        sys.stderr.write(f"linktrawl: {error}\n")
        # The exit code of work that could not be done.
        sys.exit(2)
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
