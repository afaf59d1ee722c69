"""nbgrader's settings: its own commands, typed here, do as `make` does above."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "src"))  # the kit, where it is not installed

try:
    from handgrad.integrations.nbgrader import configure
except ImportError as error:  # nbgrader would go on without us, and run what learners wrote
    raise SystemExit(f"handgrad cannot be loaded ({error}): use the Python of `make setup`") from None

c = get_config()
c.CourseDirectory.root = str(HERE)
c.CourseDirectory.course_id = "handgrad"
configure(c)
