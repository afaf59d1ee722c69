"""Make the time before the lock count: an import statement for a package that lies beside the solution.

must: no points; not loaded
from level: 1
"""
import conftest
import sitecustomize

print("BROKEN:", conftest, sitecustomize)
