"""Set NumPy's random state, and change settings that would outlive a check.

must: all points
from level: 1
exercise: array_engine
"""
### REFERENCE ###

np.random.seed(1)
np.seterr(all="raise")
np.set_printoptions(precision=1, threshold=1, formatter={"float": lambda x: "6.0"})
