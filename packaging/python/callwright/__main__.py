"""Runs the program: ``python -m callwright serve``."""

import os
import subprocess
import sys

from ._program import CallwrightError, program


def main() -> int:
    try:
        args = [program(), *sys.argv[1:]]
    except CallwrightError as e:
        print(f"callwright: {e}", file=sys.stderr)
        return 1
    if os.name != "nt":
        os.execv(args[0], args)
    return subprocess.call(args)


if __name__ == "__main__":
    sys.exit(main())
