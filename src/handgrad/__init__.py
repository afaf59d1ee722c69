"""handgrad: teaches backpropagation by hand, and grades it without being fooled."""

__version__ = "0.1.0"

import sys

if sys.version_info < (3, 11):  # which can read this file, and no other one
    sys.stderr.write(
        "handgrad needs Python 3.11 or newer and this is %d.%d: install a newer one, or name it, "
        "as in `python3.12 -m handgrad check`\n" % sys.version_info[:2]
    )
    sys.exit(2)
