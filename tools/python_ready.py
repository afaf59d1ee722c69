"""Say whether this Python can run handgrad: nothing and exit 0, or one sentence and exit 2.

    python tools/python_ready.py [--venv]

Any Python from 2.7 on must be able to read this file, so that an old one gets the sentence too.
`--venv` also asks for what `python -m venv` needs.
"""

from __future__ import print_function

import sys


def reason(arguments):
    """What is missing, as one sentence that says what to do; '' when nothing is."""
    if sys.version_info < (3, 11):
        return (
            "handgrad needs Python 3.11 or newer and this is %d.%d: install a newer one, "
            "or name it, as in `make check PYTHON=python3.12`" % sys.version_info[:2]
        )
    if "--venv" in arguments:
        try:
            import ensurepip  # noqa: F401
            import venv  # noqa: F401
        except ImportError:
            return (
                "this Python cannot make a virtual environment (it has no ensurepip): install its venv "
                "package, on Debian and Ubuntu `apt install python3-venv`, or name another Python, "
                "as in `make test PYTHON=python3.12`"
            )
    return ""


if __name__ == "__main__":
    missing = reason(sys.argv[1:])
    if missing:
        print(missing, file=sys.stderr)
        sys.exit(2)
