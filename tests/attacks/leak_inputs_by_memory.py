"""Keep hidden inputs in memory that outlives a process: System V shared memory, message queues, memfd, keys.

must: all points; held
from level: 2
at level 1: not tried
"""
### PRELUDE ###
### REFERENCE ###

refuse("shmget", 0x68616E64, 4096, 0o1666)
refuse("msgget", 0x68616E64, 0o1666)
refuse("memfd_create", b"x", 0)
refuse("mq_open", b"x", 66, 0o666, 0)
refuse("add_key", b"user", b"x", b"y", 1, -3)
refuse("memfd_secret", 0)
