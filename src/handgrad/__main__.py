"""`python -m handgrad` is the command `handgrad`."""

import sys

from handgrad.cli import main

if __name__ == "__main__":
    sys.exit(main())
