"""The same inside try, where a missing module is no end of the file.

must: all points; held
from level: 1
"""
### PRELUDE ###
### REFERENCE ###
try:
    import handgrad.judge.loader as loader
    import handgrad.doctor

    print("BROKEN:", loader, handgrad.doctor)
except ImportError:
    held("handgrad")
try:
    from graders.scalar_engine import test_1_add

    print("BROKEN:", test_1_add)
except ImportError:
    held("graders")
