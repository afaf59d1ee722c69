"""Mount, change the root, reach a file by its handle.

must: all points; held
from level: 2
at level 1: not tried
"""
### PRELUDE ###
### REFERENCE ###

import ctypes
import os

refuse("mount", b"none", b"/mnt", b"tmpfs", 0, 0)
refuse("chroot", b"/")
refuse("pivot_root", b"/", b"/")
refuse("open_by_handle_at", -100, ctypes.create_string_buffer(64), 0)
refuse("name_to_handle_at", -100, b"/", ctypes.create_string_buffer(128), ctypes.create_string_buffer(8), 0)
refuse("openat2", -100, b"/etc/passwd", ctypes.create_string_buffer(24), 24)
refuse("fsopen", b"tmpfs", 0)
refuse("open_tree", -100, b"/", 0)
refuse("move_mount", -1, b"", -1, b"", 0)
attempt("chdir", lambda: os.chdir("/etc"))
