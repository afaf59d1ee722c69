"""TODO 3: slopes measured from both sides."""

from handgrad.check import check, near, read, there


@check(
    points=2,
    hint=(
        "Take one step up and one step down, each as long as h says, and compare the two results.",
        "The two points lie 2 * h apart, so that is what the difference is divided by.",
        "The slope is (f(x + h) - f(x - h)) / (2 * h), with the brackets around 2 * h.",
    ),
)
def test_slope_between_two_points(numeric_gradient, cube):
    """Between 1.5 and 2.5 the cube rises by 12.25: its slope at 2, measured with h = 0.5."""
    slopes = numeric_gradient(cube, [2.0], 0.5)

    assert slopes == near([12.25])


@check(
    points=2,
    hint=(
        "Only one argument moves at a time: all the others stay where they are.",
        "Start each slope from a fresh copy of the list, `up = list(at)`, and move up[i] alone.",
    ),
)
def test_one_argument_at_a_time(numeric_gradient, loss):
    """The four slopes of the loss at 0.5, 2, 1, 3 are the adjoints of w, x, b and y in your table."""
    slopes = numeric_gradient(loss, [0.5, 2.0, 1.0, 3.0], 0.125)

    assert slopes == near([-4.0, -1.0, -2.0, 2.0])


@check(
    points=1,
    hint=(
        "Whoever calls you still needs their list.",
        "Copy it before you change it: `up = list(at)`.",
    ),
)
def test_the_point_stays_where_it_is(numeric_gradient, loss):
    """The list of numbers that you were given is the same afterwards."""
    at = there([0.5, 2.0, 1.0, 3.0])

    slopes = numeric_gradient(loss, at, 0.125)

    assert len(slopes) == 4
    assert read(at) == [0.5, 2.0, 1.0, 3.0]
