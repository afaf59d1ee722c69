"""Enter or make a namespace, where one would be root.

must: all points; held
from level: 2
at level 1: not tried
"""
### PRELUDE ###
### REFERENCE ###

refuse("unshare", 0x10000000)
refuse("unshare", 0x00020000)
refuse("unshare", 0x40000000)
refuse("setns", 1, 0)
refuse("clone", 0x10000011, 0, 0, 0, 0)
refuse("clone3", 0, 0)
