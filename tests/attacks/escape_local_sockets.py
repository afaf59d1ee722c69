"""Connect to local sockets, by path and by abstract name.

must: all points; held
from level: 2
at level 1: not tried
"""
### PRELUDE ###
### REFERENCE ###

import socket

attempt("path", lambda: socket.socket(socket.AF_UNIX).connect("@DROP@/socket"))
attempt("abstract", lambda: socket.socket(socket.AF_UNIX).bind("\0handgrad"))
attempt("pair", lambda: socket.socketpair())
