"""One slope for each argument: the loop ends after the first.

fails: test_the_point_stays_where_it_is, test_one_argument_at_a_time
"""


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
    adjoint = {"loss": 1.0}
    adjoint["e"] = 2 * e * adjoint["loss"]  # loss = e ** 2
    adjoint["y_hat"] = adjoint["e"]  # e = y_hat - y
    adjoint["y"] = -adjoint["e"]
    adjoint["p"] = adjoint["y_hat"]  # y_hat = p + b
    adjoint["b"] = adjoint["y_hat"]
    adjoint["w"] = x * adjoint["p"]  # p = w * x
    adjoint["x"] = w * adjoint["p"]
    return adjoint


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
