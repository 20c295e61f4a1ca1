# %% 07-blind
def choose(utterances, options):
    pairs = [(sentence.split()[0], sentence.split()[2]) for sentence in utterances]

    def ordered(links):
        links, left = set(links), {word for link in links for word in link}
        while left:
            last = {word for word in left if not any(before == word and after in left for before, after in links)}
            if not last:
                return False
            left -= last
        return True

    ends = [(option.split()[0], option.split()[2]) for option in options]
    fits = [ordered([*pairs, *(end if k == right else end[::-1] for k, end in enumerate(ends))]) for right in range(5)]
    return fits.index(True) if True in fits else 0


# %% 07-name
def name(panels, query, options):
    fits = []
    for place in range(4):
        meant = {}
        if all(meant.setdefault(word, thing[place]) == thing[place] for thing, word in panels):
            if len(set(meant.values())) == len(meant):
                fits += [k for k, word in enumerate(options) if meant.get(word) == query[place]]
    return fits[0]


# %% 07-speaker
def speaker(things, target, alpha):
    said = {value: sum(value in thing for thing in things) ** -alpha for value in things[target]}
    return {value: share / sum(said.values()) for value, share in said.items()}


# %% 07-above
printed = reported.published().set_index(["who", "task"]).value
alone = {"shape": 1 / 3, "bootstrap": 0.589}
above = {
    f"{who.partition('-')[0]}, {task}": (printed[who, task] - alone[task]) / (1 - alone[task])
    for who, task in (("Aloe", "shape"), ("Flamingo-1.1B", "bootstrap"))
}
