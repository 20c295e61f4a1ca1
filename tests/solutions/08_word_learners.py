# %% 08-eliminate
def score(question):
    heard = [set(" ".join(said).split()) for said in question.utterances]
    both = zip(heard, question.options, strict=True)
    return [[float(set(name.split()) <= known) for name in options] for known, options in both]


# %% 08-above
def above(rows):
    rows = rows[rows.metric == "accuracy"]
    floors = rows[rows.who == "text alone"].set_index(["profile", "task"]).value
    return {
        (row.who, row.task): (row.value - floors[row.profile, row.task]) / (1 - floors[row.profile, row.task])
        for row in rows.itertuples()
    }


# %% 08-hidden
shares = paper.reported.published().pivot(index="who", columns="task", values="value")


def hidden(shares):
    return {who: (own - own.mean()).abs().idxmax() for who, own in shares.iterrows()}
