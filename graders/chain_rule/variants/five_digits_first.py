"""Style: whole numbers are made floats, and intermediate results have names of their own."""


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
    w, x, b, y = map(float, (w, x, b, y))
    d_loss = 1.0
    d_e = d_loss * 2.0 * (w * x + b - y)
    d_y_hat, d_y = d_e * 1.0, d_e * -1.0
    d_p, d_b = d_y_hat * 1.0, d_y_hat * 1.0
    d_w, d_x = d_p * x, d_p * w
    return {"w": d_w, "x": d_x, "b": d_b, "y": d_y, "p": d_p, "y_hat": d_y_hat, "e": d_e, "loss": d_loss}


def adjoints_shared(a, b):
    """The adjoints of d = a * b and c = d + a, a program that uses a twice, as a dict."""
    adjoint = {"c": 1.0}
    adjoint["d"] = adjoint["c"]  # c = d + a
    adjoint["a_from_c"] = adjoint["c"]
    adjoint["a_from_d"] = b * adjoint["d"]  # d = a * b
    adjoint["b"] = a * adjoint["d"]
    adjoint["a"] = adjoint["a_from_c"] + adjoint["a_from_d"]
    return adjoint


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
