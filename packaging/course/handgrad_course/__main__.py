"""`python -m handgrad_course DIR`: lay the course out in a new folder of your own."""

import shutil
import sys
from pathlib import Path

from handgrad_course import ROOT


def main(words: list[str]) -> int:
    """Copy the course; 2 when the words make no sense or the folder is there already."""
    if len(words) != 1 or words[0].startswith("-"):
        print("usage: python -m handgrad_course DIR", file=sys.stderr)
        return 2
    folder = Path(words[0])
    if folder.exists():
        print(f"`{folder}` is there already: name a new folder", file=sys.stderr)
        return 2
    shutil.copytree(
        ROOT, folder, ignore=shutil.ignore_patterns("*.pyc", "__pycache__", "__init__.py", "__main__.py")
    )
    print(f"the course is in {folder}: go there and say `handgrad doctor`")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
