"""Each method by itself."""

from handgrad.check import check, equal, raises


@check(points=2, hint="Append to self.items: the top is the end of the list.")
def test_push_puts_the_item_on_top(Stack):
    """push puts the item on top."""
    stack = Stack([1])

    stack.push(2)

    assert stack.items == [1, 2]


@check(
    points=2,
    hint=(
        "Which end of the list is the top?",
        "list.pop without an argument removes the last item.",
        "return self.items.pop() is nearly all of it; think of the empty stack too.",
    ),
)
def test_pop_takes_the_top_away(Stack):
    """pop returns the top item and takes it away."""
    stack = Stack([1, 2, 3])

    top = stack.pop()

    assert top == 3
    assert stack.items == [1, 2]


@check(points=1, hint="An empty stack has nothing to give: raise IndexError.")
def test_pop_of_an_empty_stack_is_an_error(Stack):
    """pop on an empty stack raises IndexError."""
    stack = Stack()

    with raises(IndexError):
        stack.pop()


@check(points=1, hint="Python asks __len__ for len(stack).")
def test_len_counts_the_items(Stack):
    """len counts the items."""
    stack = Stack(["a", "b", "c"])

    count = len(stack)

    assert count == 3


@check(points=2, hint="The top is the end of the list, and iteration starts at the top.")
def test_iteration_runs_from_the_top_down(Stack):
    """Iteration starts at the top."""
    stack = Stack([1, 2, 3])

    seen = list(stack)

    assert seen == [3, 2, 1]


@check(points=2, hint="Compare the lists, and only with another Stack.")
def test_equal_items_make_equal_stacks(Stack):
    """Stacks with the same items are equal, others are not."""
    one, same, other = Stack([1, 2]), Stack([1, 2]), Stack([2, 1])

    answers = [equal(one, same), equal(one, other), equal(one, 3)]

    assert answers == [True, False, False]
