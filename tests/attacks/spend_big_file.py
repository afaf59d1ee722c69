"""Hand in more than may be handed in.

must: no points; not loaded
from level: 1
"""
### STARTER ###
x = "@PADDING@"
