# %% [markdown]
# ## Watch it learn
#
# A network and a single layer see the same 150 points, and then 1,000 others. Change the number of hidden
# units, the learning rate or the seed, and look at the two pictures again.
# %%
x, y = rings(150, seed=1)
new_x, new_y = rings(1_000, seed=2)
models = {"MLP([2, 16, 1])": MLP([2, 16, 1], seed=3), "Linear(2, 1)": Linear(2, 1, seed=3)}
losses = {name: fit(model, x, y, lr=0.1, steps=700) for name, model in models.items()}

for name, model in models.items():
    right = (np.sign(model(new_x).data) == new_y).mean()
    print(f"{name}: loss {losses[name][0]:.2f} -> {losses[name][-1]:.2f}, right on {right:.1%} of new points")

try:
    import matplotlib.pyplot as plt
except ImportError:
    print("there is no matplotlib here, so instead of the plots every hundredth loss, and the plane in signs:")
    for name in models:
        print(name, "  ".join(f"{loss:.3f}" for loss in losses[name][::100]))
    across = np.linspace(-1.5, 1.5, 31)
    for height in across[::-2]:
        row = models["MLP([2, 16, 1])"](np.stack([across, np.full(31, height)], axis=1)).data
        print("".join("+" if value > 0 else "-" for value in row[:, 0]))
else:
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
    for name in models:
        left.semilogy(losses[name], label=name)
    left.set(xlabel="step", ylabel="loss")
    left.legend()
    across = np.linspace(-1.6, 1.6, 161)
    grid = np.stack([a.ravel() for a in np.meshgrid(across, across)], axis=1)
    heights = models["MLP([2, 16, 1])"](grid).data.reshape(161, 161)
    right.contourf(across, across, heights, levels=[-9.0, 0.0, 9.0], colors=["#9ecae1", "#fdd0a2"])
    right.scatter(*x[y[:, 0] > 0].T, marker="o", s=12, color="#a63603", label="class 1: the ring")
    right.scatter(*x[y[:, 0] < 0].T, marker="x", s=16, color="#08519c", label="class -1: the disc")
    right.set(title="where the network changes sign", aspect="equal")
    right.legend(loc="upper right")
    plt.show()
# %% [markdown]
# ## The line, all of it
#
# 100,000 rows in one matrix, 250 steps over all of them:
# %%
model = Linear(1, 1, seed=0)
x, y = line()
losses = fit(model, x, y, lr=0.75, steps=250)
print("weight", model.weight.data, " bias", model.bias.data, " loss", losses[-1])
