# %% [markdown]
# ## What one backward pass costs
#
# A chain of ten layers, wider and wider. Forward is one matrix product a layer, backward two: the last column
# stays small, however many weights there are. (Measuring each slope by moving one weight would need a forward
# pass for every one of them.)
# %%
import time

for width in (10, 50, 100, 200, 400):
    draw = np.random.default_rng(0)
    x = Tensor(draw.normal(size=(100, width)))
    weights = [Tensor(draw.normal(size=(width, width)) / np.sqrt(width)) for _ in range(10)]

    start = time.perf_counter()
    out = x
    for weight in weights:
        out = (out @ weight).tanh()
    loss = out.sum()
    middle = time.perf_counter()
    loss.backward()
    end = time.perf_counter()

    ratio = (end - middle) / (middle - start)
    print(f"{10 * width**2:9,} weights   forward {middle - start:.4f} s   backward {ratio:.1f} times that")
# %% [markdown]
# ## A gradient you can measure
#
# Move one number a little, and see what the result does. Try other expressions and other shapes.
# %%
a, b = np.array([[1.0, 2.0, 3.0]]), np.array([[0.5], [-2.0]])
tensor = Tensor(b)
(Tensor(a) * tensor + tensor).tanh().sum().backward()

h = 1e-6
for row in range(2):
    moved = b.copy()
    moved[row, 0] += h
    slope = (np.tanh(a * moved + moved).sum() - np.tanh(a * b + b).sum()) / h
    print(f"b[{row}, 0]: measured {slope:.5f}, computed {tensor.grad[row, 0]:.5f}")
