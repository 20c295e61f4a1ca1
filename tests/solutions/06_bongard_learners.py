# %% 06-own-head
def head(support, query):
    far = ((query[:, None] - support.mean(axis=2)) ** 2).mean(axis=-1)
    margin = (far[:, 1] - far[:, 0]) / far.mean(axis=1)
    return 1 / (1 + np.exp(-margin))


# %% 06-mirrored
from dataclasses import replace


def mirror(program):
    turns = [0.0, *(stroke.turn for stroke in program[:0:-1])]  # from the end to the beginning
    return tuple(replace(stroke, turn=turn) for stroke, turn in zip(program[::-1], turns, strict=True))


alike = 2 / 2**7


# %% 06-confused
def confused(rows):
    kinds = rows[(rows.metric == "accuracy") & rows.task.str.contains("/with ")]
    return kinds.task[kinds.high.astype(float).idxmin()]


# %% 06-standardise
def standardise(support, query):
    mean = support.mean(axis=(1, 2), keepdims=True)
    spread = np.maximum(support.std(axis=(1, 2), keepdims=True), 1e-6)
    return (support - mean) / spread, (query - mean[:, 0, 0]) / spread[:, 0, 0]
