"""Lone surrogates, null bytes and right-to-left marks in names, messages and prints.

must: no points
from level: 1
"""
print("\ud800 \udfff \x00 \u202e dessap \u2066 \ufeff")


class Value:
    def __init__(self, data, _prev=()):
        kind = type("Err\udc80or\u202e", (ValueError,), {})
        raise kind("\ud800\x00\u202e\u2028\u2029 passed")
