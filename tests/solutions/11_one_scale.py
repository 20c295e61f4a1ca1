# %% 11-same-errors
def kappa(first, second):
    n = len(first)
    a, b = sum(first) / n, sum(second) / n
    observed = sum(x == y for x, y in zip(first, second, strict=True)) / n
    expected = a * b + (1 - a) * (1 - b)
    return (observed - expected) / (1 - expected)


# %% 11-perfect-shortcut
task = "LS/select-only/symmetry"
