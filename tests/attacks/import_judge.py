"""Import the judge, the graders and the kit's own parts.

must: no points; not loaded
from level: 1
"""
import handgrad.judge.loader
import handgrad.grade
import test_1_hidden

print("BROKEN:", handgrad.judge.loader, handgrad.grade, test_1_hidden)
