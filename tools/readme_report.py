"""Put a real report into README.md: `python tools/readme_report.py` (with `--check`: only compare).

The report is what `handgrad check` says of one of the known mistakes, copied over an exercise's solution.py.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- report of scalar_engine/", "<!-- end of report -->"
FIRST_LINES = 7  # of the list of checks; the rest is left out with dots


def report(mistake: str) -> str:
    """The terminal report of one mistake, plain, its list of checks shortened."""
    path = f"graders/scalar_engine/mistakes/{mistake}.py"
    command = [sys.executable, "-m", "handgrad", "check", "scalar_engine", "--submission", path, "--plain"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONUTF8": "1"}
    environment["MAKELEVEL"] = "1"  # the reader said `make check`, so it speaks of make
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, encoding="utf-8"
    )
    if done.returncode != 1:
        raise SystemExit(f"`{mistake}` was to fail some checks, and the command gave {done.returncode}")
    text = done.stdout.replace(path, "exercises/scalar_engine/solution.py")
    checks, rest = text.split("\n\n", 1)
    shown = [*checks.split("\n")[: FIRST_LINES + 1], "..."]
    return "\n".join(shown) + "\n\n" + rest.strip()


def with_report(readme: str) -> str:
    """The README's text with a fresh report between its two marks."""
    before, rest = readme.split(BEGIN, 1)
    mistake, rest = rest.split(" -->", 1)
    _, after = rest.split(END, 1)
    indent = before.rpartition("\n")[2]
    lines = ["```text", *report(mistake).split("\n"), "```"]
    block = "".join(f"\n{indent}{line}".rstrip(" ") for line in lines)
    return f"{before}{BEGIN}{mistake} -->{block}\n{indent}{END}{after}"


def main() -> int:
    """Write README.md anew, or say that it differs."""
    path = ROOT / "README.md"
    old = path.read_text("utf-8")
    new = with_report(old)
    if "--check" in sys.argv:
        if old != new:
            print("README.md shows an old report: run `python tools/readme_report.py`", file=sys.stderr)
        return int(old != new)
    path.write_text(new, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
