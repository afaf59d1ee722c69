"""Style: closed formulas in one dict, written with e alone."""


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
    return {
        "loss": 1, "e": 2 * e, "y_hat": 2 * e, "y": -2 * e,
        "p": 2 * e, "b": 2 * e, "w": 2 * e * x, "x": 2 * e * w,
    }


def adjoints_shared(a, b):
    """The adjoints of d = a * b and c = d + a, a program that uses a twice, as a dict."""
    return {"c": 1, "d": 1, "b": a, "a_from_c": 1, "a_from_d": b, "a": b + 1}


def numeric_gradient(f, at, h):
    """The slope of f in each of its arguments at the numbers in the list at, as a list.

    Measured by central difference with steps of h: f is called with numbers, as f(*at).
    """
    def slope(i):
        return (f(*at[:i], at[i] + h, *at[i + 1 :]) - f(*at[:i], at[i] - h, *at[i + 1 :])) / (h + h)

    return [slope(i) for i in range(len(at))]
