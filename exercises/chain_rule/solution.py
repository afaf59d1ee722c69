"""The chain rule by hand: how far the result of a small program moves with each of its values."""


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
    # TODO 1: fill in the backward table from the loss down to w and x, and return it as a dict with the
    # keys "loss", "e", "y_hat", "y", "p", "b", "w" and "x". The loss has the adjoint 1; every other
    # value has the adjoint of the value it went into, times the local derivative.
    raise NotImplementedError("adjoints is still to be written")


def adjoints_shared(a, b):
    """The adjoints of d = a * b and c = d + a, a program that uses a twice, as a dict."""
    # TODO 2: return a dict with the keys "c", "d", "b", then "a_from_c" and "a_from_d", the contributions
    # that a receives from the sum c and from the product d, and "a", which is the two of them added.
    raise NotImplementedError("adjoints_shared is still to be written")


def numeric_gradient(f, at, h):
    """The slope of f in each of its arguments at the numbers in the list at, as a list.

    Measured by central difference with steps of h: f is called with numbers, as f(*at).
    """
    # TODO 3: for each argument, move it alone up by h and down by h, and divide the difference of the
    # two results by the distance between the two points. Leave the list `at` as it is.
    raise NotImplementedError("numeric_gradient is still to be written")
