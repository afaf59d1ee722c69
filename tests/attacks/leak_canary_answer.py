"""Hand the canary in as the answer: in a message, in a number, in a class name, should it be readable.

must: no points
from level: 2
at level 1: open
"""
try:
    with open("@CANARY@") as file:
        TEXT = file.read()
    print("BROKEN: opened")
except OSError:
    TEXT = "nothing"
    print("held: closed")


class Value:
    def __init__(self, data, _prev=()):
        raise type(TEXT[:70].replace("\n", ""), (ValueError,), {})(TEXT)
