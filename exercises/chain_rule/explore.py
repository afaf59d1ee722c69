# %% [markdown]
# ## The error against h
#
# The cube has the slope 12 at 2. Here is by how much `numeric_gradient` misses it, for steps from 1 down to
# one millionth of a millionth. On the right the error falls with the square of h; on the left rounding takes
# over, and it rises again as h shrinks. The best step lies where the two meet.
# %%
steps = [10 ** (-k / 4) for k in range(49)]
errors = [abs(numeric_gradient(cube, [2.0], h)[0] - 12.0) for h in steps]

try:
    import matplotlib.pyplot as plt
except ImportError:
    print("there is no matplotlib here, so instead of the plot every fourth number:")
    for h, error in list(zip(steps, errors))[::4]:
        print(f"h = {h:.0e}   error = {error:.1e}")
else:
    plt.loglog(steps, [error or 1e-16 for error in errors], "o-", label="measured")
    plt.loglog(steps, [h**2 for h in steps], "--", label="h squared")
    plt.xlabel("h")
    plt.ylabel("error of the slope")
    plt.legend()
    plt.show()
# %% [markdown]
# The same for the loss, whose slopes you know from your table:
# %%
table = adjoints(0.5, 2.0, 1.0, 3.0)
print("by hand ", [table[name] for name in ("w", "x", "b", "y")])
print("measured", numeric_gradient(loss, [0.5, 2.0, 1.0, 3.0], 1e-5))
