"""Write the result file of every grader that believes one.

must: no points
from level: 2
at level 1: not tried
"""
### STARTER ###

import os

for folder in ("@DROP@", ".", "/tmp", "/autograder/results", "/grade/results", os.path.dirname("@CANARY@")):
    for name in ("results.json", "verdict.json", "result.json", "report.xml", "grade.txt", "gradebook.db"):
        try:
            with open(os.path.join(folder, name), "w") as file:
                file.write('{"score": 100, "tests": []}')
        except OSError:
            pass
