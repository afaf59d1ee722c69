"""Runs a few lines with the learner's code and notes the graph they build, for the page to draw.

A node is an object of a class of theirs with `data`, `grad` and `_prev`. Its operation is the method it was
made in, its name the variable that holds it. Nothing here counts for a result: errors become part of it.
"""

import io
import math
import random
import sys
import types
from contextlib import redirect_stderr, redirect_stdout

import handgrad.check

SYMBOLS = {
    "__add__": "+",
    "__radd__": "+",
    "__sub__": "-",
    "__rsub__": "-",
    "__mul__": "*",
    "__rmul__": "*",
    "__truediv__": "/",
    "__rtruediv__": "/",
    "__pow__": "**",
    "__matmul__": "@",
    "__rmatmul__": "@",
    "__neg__": "-",
}
MOST = 16  # nodes of a graph that can still be read
FILE = "solution.py"


def draw(code, lines, *, needs=(), most=MOST):
    """The graph that `lines` build: `{"nodes": [...], "error": ""}`, or None when it is too large to be read.

    `needs` are the names a check asks for; nothing is drawn when one of them is not there.
    """
    made = []
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        try:
            theirs = load(code)
            if any(name not in theirs and name != "rng" for name in needs):
                return None
            watch(theirs, made)
        except BaseException as error:
            return {"nodes": [], "error": in_words(error)}
        space = {name: getattr(handgrad.check, name) for name in handgrad.check.__all__}
        space |= {"math": math, "rng": random.Random(lines)} | theirs
        before = set(space)
        error = ""
        try:
            exec(compile(lines, "<lines>", "exec"), space)
        except BaseException as raised:
            error = in_words(raised)
        names = {id(value): name for name, value in reversed(space.items()) if name not in before}
        nodes = [node for node in made if is_node(node[0])]
        if len(nodes) > most:
            return None
        return {"nodes": described(nodes, names), "error": error}


def load(code):
    """What the learner's file defines, run as a module of its own."""
    module = types.ModuleType("solution")
    sys.modules["solution"] = module
    try:
        exec(compile(code, FILE, "exec"), module.__dict__)
    finally:
        sys.modules.pop("solution", None)
    return {name: value for name, value in vars(module).items() if not name.startswith("__")}


def watch(theirs, made):
    """Have every class of theirs note its new objects, each with the operation it is made in."""
    for cls in {
        id(v): v for v in theirs.values() if isinstance(v, type) and v.__module__ == "solution"
    }.values():
        begin = cls.__dict__.get("__init__")
        if not isinstance(begin, types.FunctionType):
            continue

        def noting(self, *arguments, _begin=begin, **named):
            if all(self is not known for known, _ in made):
                made.append((self, operation(sys._getframe(1))))
            _begin(self, *arguments, **named)

        cls.__init__ = noting


def operation(frame):
    """The operator or method of theirs, on the way out from the constructor, that is nearest to the lines."""
    found = ""
    while frame is not None and frame.f_code.co_filename == FILE:
        name = frame.f_code.co_name
        if not found or name in SYMBOLS:
            found = SYMBOLS.get(name, name if not name.startswith("_") else "")
        if name in ("__add__", "__mul__"):
            break
        frame = frame.f_back
    return found


def is_node(thing):
    """True for an object that knows its number, its gradient and its inputs."""
    try:
        iter(thing._prev)
        return hasattr(thing, "data") and hasattr(thing, "grad")
    except BaseException:
        return False


def described(nodes, names):
    """The nodes as plain data, inputs before results, each with a sentence of its own."""
    place = {id(node): position for position, (node, _) in enumerate(nodes)}
    told = []
    for position, (node, made_in) in enumerate(nodes):
        sources = [place[id(source)] for source in node._prev if id(source) in place]
        name = names.get(id(node), "")
        told.append(
            {"id": f"n{position}", "name": name, "op": made_in if sources else "", "sources": sources}
        )
        told[-1] |= {"data": number(node.data), "grad": number(node.grad)}
    for position, item in enumerate(told):
        item["from"] = [f"n{source}" for source in item["sources"]]
        item["made"] = expression(item, told)
        item["name"] = item["name"] or (item["made"] if len(item["made"]) <= 14 else f"v{position}")
    for item in told:
        how = f" = {item['made']}" if item["made"] and item["made"] != item["name"] else ""
        item["text"] = f"{item['name']}{how}: data {item['data']}, grad {item['grad']}"
        if item.pop("sources"):
            item["text"] += f"; made from {' and '.join(told[int(s[1:])]['name'] for s in item['from'])}"
    return told


def expression(item, told):
    """How a result is written: `a * b`."""
    names = [told[source]["name"] for source in item["sources"]]
    if not names:
        return item["data"]
    if item["op"] in SYMBOLS.values() and len(names) == 2 and all(names):
        return f"{bracketed(names[0])} {item['op']} {bracketed(names[1])}"
    if item["op"] and all(names):
        return (
            f"{bracketed(names[0])}.{item['op']}()"
            if item["op"].isidentifier()
            else f"{item['op']}{names[0]}"
        )
    return ""


def bracketed(name):
    """The name as an operand."""
    return name if name.isidentifier() or name.replace(".", "").isdigit() else f"({name})"


def number(value):
    """A number as it fits on a card: an array by its shape, anything odd by its type."""
    if isinstance(value, bool) or value is None:
        return repr(value)
    if isinstance(value, (int, float)):
        return f"{value:.4g}" if isinstance(value, float) and value != round(value, 3) else repr(value)[:12]
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple):
        return f"shape {shape}"
    return type(value).__name__[:20]


def in_words(error):
    """The last line of a traceback."""
    text = str(error).splitlines()[0][:200] if str(error) else ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
