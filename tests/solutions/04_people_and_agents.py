# %% 04-true-df
true_df = int(cells.n.sum()) - len(cells)

# %% 04-unpinned
unpinned = [rule for rule in problems.RULES if rule not in set(people.pinned(source).rule)]
