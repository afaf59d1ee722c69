"""Import at run time by names that no reader of the file can see.

must: all points; held
from level: 2
at level 1: open
"""
### PRELUDE ###
### REFERENCE ###

import importlib
import importlib.util

attempt("import_module", lambda: importlib.import_module("".join(["sm", "tplib"])))
attempt("spec", lambda: importlib.util.spec_from_file_location("x", "@CANARY@").loader.get_data("@CANARY@"))
attempt("machinery", lambda: importlib.machinery.SourceFileLoader("x", "@CANARY@").get_source("x"))
