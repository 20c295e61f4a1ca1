# %% 04-true-df
true_df = int(cells.n.sum()) - len(cells)

# %% 04-unpinned
unpinned = [rule for rule in cells.rule.unique() if rule not in set(paper.published.pinned(origin).rule)]
