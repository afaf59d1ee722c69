"""A matrix product that takes hours, in C, with every thread there is.

must: no points; not loaded
from level: 1
exercise: array_engine
"""
### STARTER ###

big = np.ones((4000, 4000))
while True:
    big = big @ big
