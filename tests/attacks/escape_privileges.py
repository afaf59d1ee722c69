"""Become somebody else, or take what only root may have.

must: all points; held
from level: 2
at level 1: not tried
"""
### PRELUDE ###
### REFERENCE ###

import os

for user in (0, 1000, 65534):
    attempt(f"setuid {user}", lambda: os.setuid(user))
    attempt(f"setresuid {user}", lambda: os.setresuid(user, user, user))
attempt("setgroups", lambda: os.setgroups([0]))
attempt("hostname", lambda: os.sethostname("owned"))
refuse("reboot", 0xFEE1DEAD, 672274793, 0, 0)
refuse("swapon", b"/x", 0)
refuse("settimeofday", 0, 0)
refuse("acct", b"/x")
refuse("syslog", 3, 0, 0)
refuse("prctl", 38, 0, 0, 0, 0)
