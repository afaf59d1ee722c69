"""Exit 0 when an exercise that is to be checked needs NumPy and this Python has none, else 1.

    python tools/lacks_numpy.py [--all] [SLUG ...]

Without a slug it asks about the exercises that were begun: `make check` grades those.
"""

import json
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent


def needs_numpy(folder: Path) -> bool:
    """True when the exercise's own description says that its code is given NumPy."""
    with (folder / "exercise.toml").open("rb") as file:
        return "numpy" in tomllib.load(file).get("preload", ())


def is_started(folder: Path) -> bool:
    """True after `make start`, or when solution.py is no longer the starter cut from the reference."""
    from handgrad.build.starter import cut
    from handgrad.submission import canonical, read_submission

    if folder.name in said_start():
        return True
    own = read_submission(folder / "solution.py")  # which waits for no pipe
    reference = TOP / "solutions" / folder.name / "solution.py"
    if own.problem or not reference.exists():
        return True
    return own.text != canonical(cut(reference.read_text("utf-8-sig")))


def said_start() -> dict[str, object]:
    """What `handgrad start` remembered, by exercise."""
    try:
        found = json.loads((TOP / ".handgrad/started.json").read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def main(arguments: list[str]) -> int:
    """See the module's docstring. A folder that cannot be read is for `handgrad check` to report."""
    if find_spec("numpy"):
        return 1
    words = [word.removesuffix("/solution.py") for word in arguments if not word.startswith("-")]
    slugs = [Path(word).name for word in words]
    for description in sorted(TOP.glob("exercises/*/exercise.toml")):
        folder = description.parent
        try:
            wanted = folder.name in slugs if slugs else "--all" in arguments or is_started(folder)
            if wanted and needs_numpy(folder):
                return 0
        except Exception:  # noqa: BLE001  (whatever is wrong with it, the command itself says so better)
            continue
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
