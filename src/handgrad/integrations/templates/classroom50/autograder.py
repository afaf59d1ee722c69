"""Grades `@SLUG@` for Classroom 50, whose runner starts this in the student's checkout and reads result.json.

The student's file is the only thing that is read there. A fault that is not theirs ends with an exit code
above 0, which the runner records as an error of the grading.
"""

import os
import subprocess
import sys
from pathlib import Path

SLUG = "@SLUG@"
LEVEL = "@LEVEL@"
HERE = Path(__file__).resolve().parent


def main() -> int:
    """Write result.json into the checkout; 0 when it holds a verdict."""
    paths = os.pathsep.join([str(HERE), str(HERE / "vendor")])
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONSAFEPATH": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    checkout = Path.cwd()
    command = [sys.executable, "-m", "handgrad", "check", SLUG, "--course", str(HERE)]
    command += ["--submission", str(checkout), "--require-level", LEVEL]
    command += ["--format", "classroom50", "--output", str(checkout / "result.json")]
    code = subprocess.call(command, cwd=HERE, env=environment)
    return 0 if code in (0, 1) else code


if __name__ == "__main__":
    sys.exit(main())
