"""TODO 4: the product of matrices, of vectors and of batches."""

import numpy as np

from handgrad.check import check, near


@check(
    points=1,
    hint=(
        "Write the shapes down: A is (2, 3), B (3, 4), the upstream G (2, 4). Which product gives (2, 3)?",
        "G @ B.T has the shape of A; A.T @ G has the shape of B. No other product fits.",
    ),
)
def test_matmul_transposes_the_other_matrix(Tensor):
    """A @ B sends G @ B.T to A and A.T @ G to B."""
    a = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    b = Tensor([[1.0, 0.0, 2.0, -1.0], [0.0, 1.0, 1.0, 3.0], [2.0, 2.0, 0.0, 1.0]])
    out = a @ b
    out.grad = np.array([[1.0, 2.0, 0.0, -1.0], [3.0, 0.0, 1.0, 2.0]])

    out._backward()

    assert out.data == near(np.array([[7.0, 8.0, 4.0, 8.0], [16.0, 17.0, 13.0, 17.0]]))
    assert a.grad == near(np.array([[2.0, -1.0, 5.0], [3.0, 7.0, 8.0]]))
    assert b.grad == near(np.array([[13.0, 2.0, 4.0, 7.0], [17.0, 4.0, 5.0, 8.0], [21.0, 6.0, 6.0, 9.0]]))


@check(
    points=1,
    hint=(
        "In `x @ x` the same matrix is left and right factor: it receives both shares.",
        "Both lines of the rule need +=.",
    ),
)
def test_matmul_of_a_matrix_with_itself_counts_twice(Tensor):
    """x @ x sends the share of the left and that of the right factor to x."""
    x = Tensor([[1.0, 2.0], [3.0, 5.0]])
    out = x @ x
    out.grad = np.array([[1.0, 0.0], [2.0, -1.0]])

    out._backward()

    assert x.grad == near(np.array([[8.0, 0.0], [12.0, -4.0]]))


@check(
    points=1,
    hint=(
        "A vector on the right is a matrix of one column, and the result lost that column's axis.",
        "Give the vector and the upstream that axis back: right[:, np.newaxis], np.expand_dims(grad, -1).",
        "Then use the rule for matrices, and reshape each share to the shape of its input.",
    ),
)
def test_matmul_with_a_vector_on_the_right(Tensor):
    """(2, 3) @ (3,): the vector counts as one column."""
    matrix = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    vector = Tensor([1.0, 0.0, -2.0])
    out = matrix @ vector
    out.grad = np.array([3.0, -1.0])

    out._backward()

    assert out.data == near(np.array([-5.0, -8.0]))
    assert matrix.grad == near(np.array([[3.0, 0.0, -6.0], [-1.0, 0.0, 2.0]]))
    assert vector.grad == near(np.array([-1.0, 1.0, 3.0]))


@check(
    points=1,
    hint=(
        "A vector on the left is a matrix of one row, and the result lost that row's axis.",
        "Give the vector and the upstream that axis back: left[np.newaxis, :], np.expand_dims(grad, -2).",
    ),
)
def test_matmul_with_a_vector_on_the_left(Tensor):
    """(2,) @ (2, 3): the vector counts as one row."""
    vector = Tensor([2.0, -1.0])
    matrix = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    out = vector @ matrix
    out.grad = np.array([1.0, 0.0, 10.0])

    out._backward()

    assert out.data == near(np.array([-2.0, -1.0, 0.0]))
    assert vector.grad == near(np.array([31.0, 64.0]))
    assert matrix.grad == near(np.array([[2.0, 0.0, 20.0], [-1.0, 0.0, -10.0]]))


@check(
    points=1,
    hint=(
        "Two vectors give one number: the upstream has no axis at all.",
        "Put both axes back, first that of the right one (-1), then that of the left one (-2).",
    ),
)
def test_matmul_of_two_vectors(Tensor):
    """(3,) @ (3,) is one number, and each vector receives the other times the upstream."""
    left = Tensor([1.0, 2.0, 3.0])
    right = Tensor([4.0, 0.0, -1.0])
    out = left @ right
    out.grad = np.array(2.0)

    out._backward()

    assert out.data == near(np.array(1.0))
    assert left.grad == near(np.array([8.0, 0.0, -2.0]))
    assert right.grad == near(np.array([2.0, 4.0, 6.0]))


@check(
    points=1,
    hint=(
        "Axes in front of the last two are a batch: many products at once. .T would turn them round too.",
        "Swap the last two axes only: swapaxes(-1, -2).",
        "The (3, 1) matrix was used by both members of the batch: unbroadcast its share.",
    ),
)
def test_matmul_of_a_batch_with_one_matrix(Tensor):
    """(2, 2, 3) @ (3, 1): the one matrix receives the sum over the batch."""
    batch = Tensor([[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[0.0, 1.0, 0.0], [-1.0, 0.0, 2.0]]])
    matrix = Tensor([[1.0], [2.0], [-1.0]])
    out = batch @ matrix
    out.grad = np.array([[[1.0], [2.0]], [[3.0], [-1.0]]])

    out._backward()

    assert out.data == near(np.array([[[2.0], [8.0]], [[2.0], [-3.0]]]))
    assert matrix.grad == near(np.array([[10.0], [15.0], [13.0]]))
    assert batch.grad == near(
        np.array([[[1.0, 2.0, -1.0], [2.0, 4.0, -2.0]], [[3.0, 6.0, -3.0], [-1.0, -2.0, 1.0]]])
    )
