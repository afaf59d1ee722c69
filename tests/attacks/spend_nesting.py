"""Source that is nested so deeply that a parser could fall over it.

must: no points; not loaded
from level: 1
"""
x = @NESTED@
