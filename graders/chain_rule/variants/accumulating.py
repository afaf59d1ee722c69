"""Style: every adjoint starts at 0 and collects its contributions, as an engine does it."""


def loss(w, x, b, y):
    """The squared error of the line w * x + b at x, where y was wanted. Given, to try your code on."""
    return (w * x + b - y) ** 2


def cube(x):
    """x to the third power. Given, to try your code on."""
    return x**3


def adjoints(w, x, b, y):
    """The adjoint of every value of loss = (w * x + b - y) ** 2, as a dict from name to number."""
    p = w * x  # the forward table, one operation a line
    y_hat = p + b
    e = y_hat - y  # and last: loss = e ** 2
    bar = dict.fromkeys(["loss", "e", "y_hat", "y", "p", "b", "w", "x"], 0.0)
    bar["loss"] += 1.0
    bar["e"] += 2 * e * bar["loss"]
    bar["y_hat"] += bar["e"]
    bar["y"] -= bar["e"]
    bar["p"] += bar["y_hat"]
    bar["b"] += bar["y_hat"]
    bar["w"] += x * bar["p"]
    bar["x"] += w * bar["p"]
    return bar


def adjoints_shared(a, b):
    """The adjoints of d = a * b and c = d + a, a program that uses a twice, as a dict."""
    bar = dict.fromkeys("abcd", 0.0)
    bar["c"] += 1.0
    bar["d"] += bar["c"]
    bar["a"] += bar["c"]
    from_c = bar["a"]
    bar["a"] += b * bar["d"]
    bar["b"] += a * bar["d"]
    return {**bar, "a_from_c": from_c, "a_from_d": bar["a"] - from_c}


def numeric_gradient(f, at, h):
    """The slope of f in each of its arguments at the numbers in the list at, as a list.

    Measured by central difference with steps of h: f is called with numbers, as f(*at).
    """
    slopes = []
    for i in range(len(at)):
        up, down = list(at), list(at)
        up[i] += h
        down[i] -= h
        slopes.append((f(*up) - f(*down)) / (2 * h))
    return slopes
