# %% 12-reader
import re


def reader(text, options):
    marked = re.findall(r"ANSWER:(.*)", text)
    if marked:
        said = marked[-1].strip(" .*")
        names = dict(zip("ABCDEFGH", options, strict=False))
        said = names.get(said, said)
        return options.index(said) if said in options else -1
    named = [k for k, option in enumerate(options) if re.search(rf"\b{option}\b", text)]
    return named[0] if len(named) == 1 else -1


# %% 12-per-token
import math


def chances(logs, sizes):
    weights = [math.exp(log / size) for log, size in zip(logs, sizes, strict=True)]
    return [weight / sum(weights) for weight in weights]


# %% 12-above
def above(right, n, floor_right, floor_n):
    low, _ = wilson(right, n)
    _, high = wilson(floor_right, floor_n)
    return low > high
