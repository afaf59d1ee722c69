"""`python -m handgrad` is the command `handgrad`."""

import sys

if __name__ == "__main__":
    if (
        not sys.flags.safe_path
    ):  # the folder one stands in may hold a learner's random.py: Python's own come first
        sys.path.append(sys.path.pop(0))
    try:
        from handgrad.cli import main

        code = main()
    except KeyboardInterrupt:  # before the command could say so itself
        code = 130
    sys.exit(code)
