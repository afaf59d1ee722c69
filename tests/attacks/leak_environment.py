"""Read the environment: secrets, tokens, paths, the names of the grading.

must: all points; held
from level: 1
"""
### PRELUDE ###
### REFERENCE ###

import os

names = {name for name in os.environ if name.startswith(("HANDGRAD", "NBGRADER", "GITHUB", "SECRET", "HOME", "USER"))}
print("held: environment" if not names else f"BROKEN: environment {names}")
