"""What all tests of the kit share."""

from __future__ import annotations

collect_ignore = ["attacks", "course", "golden"]  # graders and submissions: material for tests, no tests

try:
    from hypothesis import settings
except ImportError:  # a machine that runs only some of the tests
    pass
else:
    # No deadline: a busy machine is no fault. The same examples each time: a red run can be repeated.
    settings.register_profile("kit", deadline=None, derandomize=True, database=None)
    settings.load_profile("kit")
