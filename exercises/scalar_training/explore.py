# %% [markdown]
# ## Watch it learn
#
# The loss after each step on 1,000 rows of y = x - 1, for three learning rates. The last one is beyond what
# the curvature allows. Change the rates, the number of rows in a batch, or leave out the reset in `step`.
# %%
def losses(lr, steps=60, rows=1_000):
    """The loss before each step, for batches of 50."""
    xs = [i / rows for i in range(rows)]
    ys = [x - 1.0 for x in xs]
    w, b = Value(0.0), Value(0.0)
    parts = batches(xs, ys, 50)
    seen = []
    for turn in range(steps):
        batch_xs, batch_ys = parts[turn % len(parts)]
        loss = sum((w * x + b - y) ** 2 for x, y in zip(batch_xs, batch_ys)) * (1 / len(batch_xs))
        loss.backward()
        step([w, b], lr)
        seen.append(loss.data)
    return seen


curves = {lr: losses(lr) for lr in (0.05, 0.5, 0.8)}

try:
    import matplotlib.pyplot as plt
except ImportError:
    print("there is no matplotlib here, so instead of the plot every tenth number:")
    for lr, seen in curves.items():
        print(f"lr = {lr}:", "  ".join(f"{loss:.1e}" for loss in seen[::10]))
else:
    for lr, seen in curves.items():
        plt.semilogy(seen, label=f"lr = {lr}")
    plt.xlabel("step")
    plt.ylabel("loss")
    plt.legend()
    plt.show()
