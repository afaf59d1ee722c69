"""What all tests of the kit share."""

collect_ignore = ["attacks", "course", "golden"]  # graders and submissions: material for tests, no tests
