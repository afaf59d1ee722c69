"""Connect to a port of this machine, to the world, and look a name up.

must: all points; held
from level: 2
at level 1: not tried
"""
### PRELUDE ###
### REFERENCE ###

import socket

attempt("loopback", lambda: socket.create_connection(("127.0.0.1", @PORT@), timeout=1))
attempt("ipv6", lambda: socket.socket(socket.AF_INET6).connect(("::1", @PORT@)))
attempt("udp", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", @PORT@)))
attempt("name", lambda: socket.getaddrinfo("localhost", "http"))
attempt("listen", lambda: socket.create_server(("127.0.0.1", 0)))
