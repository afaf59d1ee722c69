"""System calls that reach deep into the kernel: bpf, perf, userfaultfd, keyrings, module loading.

must: all points; held
from level: 2
at level 1: not tried
"""
### PRELUDE ###
### REFERENCE ###

refuse("bpf", 0, 0, 0)
refuse("perf_event_open", 0, 0, -1, -1, 0)
refuse("userfaultfd", 1)
refuse("keyctl", 0, -3, 0)
refuse("add_key", b"user", b"x", b"y", 1, -2)
refuse("init_module", 0, 0, b"")
refuse("kexec_load", 0, 0, 0, 0)
refuse("modify_ldt", 0, 0, 0)
refuse("iopl", 3)
refuse("vmsplice", 1, 0, 0, 0)
refuse("futex_waitv", 0, 0, 0, 0, 0)
refuse("signalfd", -1, 0, 8)
refuse("timerfd_create", 1, 0)
refuse("eventfd", 0)
refuse("inotify_init")
