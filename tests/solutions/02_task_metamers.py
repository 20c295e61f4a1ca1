# %% 02-triples
triples = 2 * 7 * 5


# %% 02-third-order
def third_order(boards):
    across = (boards[:, :, :-2] == boards[:, :, 1:-1]) & (boards[:, :, 1:-1] == boards[:, :, 2:])
    down = (boards[:, :-2] == boards[:, 1:-1]) & (boards[:, 1:-1] == boards[:, 2:])
    equal = across.sum(axis=(1, 2)) + down.sum(axis=(1, 2))
    return equal - (70 - equal)


# %% 02-your-judge
def my_judge(boards):
    found = []
    for board in boards:
        rows, columns = board.any(axis=1).nonzero()[0], board.any(axis=0).nonzero()[0]
        outline = board * 0
        outline[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1] = 1
        outline[rows[0] + 1 : rows[-1], columns[0] + 1 : columns[-1]] = 0
        found.append((board == outline).all())
    return found
