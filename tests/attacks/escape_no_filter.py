"""Put a filter of one's own over the sandbox's, ask for a new one, change process attributes.

must: all points; held
from level: 2
at level 1: not tried
"""
### PRELUDE ###
### REFERENCE ###

refuse("seccomp", 1, 0, 0)
refuse("prctl", 22, 1, 0, 0, 0)
refuse("prctl", 4, 1, 0, 0, 0)
refuse("prctl", 1, 0, 0, 0, 0)
refuse("landlock_create_ruleset", 0, 0, 1)
