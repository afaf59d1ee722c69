"""`python -m handgrad` is the command `handgrad`."""

import sys

if __name__ == "__main__":
    try:
        from handgrad.cli import main

        code = main()
    except KeyboardInterrupt:  # before the command could say so itself
        code = 130
    sys.exit(code)
