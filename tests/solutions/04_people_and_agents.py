# %% 04-true-df
true_df = int(cells.n.sum()) - len(cells)

# %% 04-unpinned
unpinned = [rule for rule in records.RULES if rule not in set(published.pinned(source).rule)]
