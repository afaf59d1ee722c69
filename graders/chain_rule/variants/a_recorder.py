"""Style: a small tape that is written forward and read backward."""

def loss(w, x, b, y):
    return (w * x + b - y) ** 2


def cube(x):
    return x**3


def walk(tape, result):
    """Each entry: (what was made, [(from what, local derivative), ...])."""
    bar = {result: 1.0}
    sent = {}
    for made, sources in reversed(tape):
        for source, local in sources:
            sent[source, made] = local * bar[made]
            bar[source] = bar.get(source, 0.0) + sent[source, made]
    return bar, sent


def adjoints(w, x, b, y):
    e = w * x + b - y
    tape = [
        ("p", [("w", x), ("x", w)]),
        ("y_hat", [("p", 1), ("b", 1)]),
        ("e", [("y_hat", 1), ("y", -1)]),
        ("loss", [("e", 2 * e)]),
    ]
    return walk(tape, "loss")[0]


def adjoints_shared(a, b):
    bar, sent = walk([("d", [("a", b), ("b", a)]), ("c", [("d", 1), ("a", 1)])], "c")
    bar["a_from_c"] = sent["a", "c"]
    bar["a_from_d"] = sent["a", "d"]
    return bar


def numeric_gradient(f, at, h):
    slopes = []
    for i in range(len(at)):
        def along(x):
            return f(*(x if k == i else other for k, other in enumerate(at)))

        slopes.append(0.5 * (along(at[i] + h) - along(at[i] - h)) / h)
    return slopes
