"""Map memory that can be executed, and write code there.

must: all points; held
from level: 2
at level 1: open
"""
### PRELUDE ###
### REFERENCE ###

import mmap

attempt("mmap", lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC))
buffer = mmap.mmap(-1, 4096)
address = module("ctypes").addressof(module("ctypes").c_char.from_buffer(buffer))
libc = module("ctypes").CDLL(None, use_errno=True)
libc.mprotect.argtypes = [module("ctypes").c_void_p, module("ctypes").c_size_t, module("ctypes").c_int]
if libc.mprotect(address, 4096, 7) == 0:
    broken("mprotect")
else:
    held("mprotect")
refuse("pkey_mprotect", address, 4096, 7, -1)
refuse("personality", 0x0400000)
