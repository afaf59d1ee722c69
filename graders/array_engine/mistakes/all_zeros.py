"""Every gradient is zero: no rule sends anything back.

fails: test_the_callers_arrays_stay_as_they_are,
    test_unbroadcast_sums_over_added_axes, test_unbroadcast_sums_over_stretched_axes,
    test_unbroadcast_handles_added_and_stretched_axes_together,
    test_unbroadcast_leaves_a_fitting_gradient_alone,
    test_unbroadcast_reaches_an_array_without_axes, test_add_passes_the_upstream_on,
    test_add_sums_the_gradient_of_a_bias, test_add_stretches_both_sides,
    test_add_reduces_the_left_side_too, test_add_of_a_tensor_to_itself_counts_twice,
    test_add_wraps_plain_numbers_and_arrays, test_mul_uses_the_other_factor,
    test_mul_by_a_column_sums_after_the_product, test_mul_by_a_tensor_without_axes,
    test_mul_of_a_tensor_with_itself_counts_twice, test_mul_with_an_array_on_the_left,
    test_matmul_transposes_the_other_matrix, test_matmul_of_a_matrix_with_itself_counts_twice,
    test_matmul_with_a_vector_on_the_right, test_matmul_with_a_vector_on_the_left,
    test_matmul_of_two_vectors, test_matmul_of_a_batch_with_one_matrix, test_sum_of_everything,
    test_sum_over_one_axis, test_sum_that_keeps_its_axis, test_sum_over_several_axes,
    test_tanh_works_element_by_element, test_rules_leave_the_upstream_alone,
    test_backward_starts_with_ones_in_the_shape_of_the_result, test_backward_through_one_layer,
    test_backward_through_a_mean, test_backward_adds_up_over_two_uses_of_a_weight,
    test_backward_adds_the_share_of_every_rule, test_backward_sorts_any_graph,
    test_backward_gives_each_tensor_a_gradient_of_its_own,
    test_backward_leaves_an_unused_tensor_at_zero, test_whole_numbers_become_floats,
    test_backward_works_on_a_second_graph, test_backward_agrees_with_finite_differences,
    test_backward_waits_for_every_consumer
"""

import numpy as np


def unbroadcast(grad, shape):
    return np.zeros(shape)


class Tensor:
    __array_ufunc__ = None

    def __init__(self, data, _prev=()):
        self.data = np.array(data, dtype=np.float64)
        self.grad = np.zeros_like(self.data)
        self._prev = tuple(_prev)
        self._backward = lambda: None

    def __repr__(self):
        return f"Tensor({self.data.tolist()}, grad={self.grad.tolist()})"

    def __add__(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other)
        out = Tensor(self.data + other.data, (self, other))

        def _backward():
            pass

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other)
        out = Tensor(self.data * other.data, (self, other))

        def _backward():
            pass

        out._backward = _backward
        return out

    def __matmul__(self, other):
        other = other if isinstance(other, Tensor) else Tensor(other)
        out = Tensor(self.data @ other.data, (self, other))

        def _backward():
            pass

        out._backward = _backward
        return out

    def sum(self, axis=None, keepdims=False):
        out = Tensor(self.data.sum(axis=axis, keepdims=keepdims), (self,))

        def _backward():
            pass

        out._backward = _backward
        return out

    def tanh(self):
        out = Tensor(np.tanh(self.data), (self,))

        def _backward():
            pass

        out._backward = _backward
        return out

    def backward(self):
        order, seen = [], set()

        def visit(tensor):
            if tensor not in seen:
                seen.add(tensor)
                for source in tensor._prev:
                    visit(source)
                order.append(tensor)

        visit(self)
        for tensor in reversed(order):
            tensor._backward()

    def mean(self, axis=None, keepdims=False):
        total = self.sum(axis, keepdims)
        return total * (total.data.size / self.data.size)

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __rmatmul__(self, other):
        return Tensor(other) @ self

    def __neg__(self):
        return self * -1.0

    def __sub__(self, other):
        return self + -other

    def __rsub__(self, other):
        return -self + other
