# %% 09-which-agent
import numpy as np


def scores(trained, question):
    known = np.full((len(trained.design.tokens),) * 2, 0.5)
    samples, comparisons = trained.tokens[:, :1], trained.tokens[:, 1:4]
    known[samples, comparisons] = 0
    known[samples[:, 0], comparisons[np.arange(len(trained)), trained.correct]] = 1
    return known[question.sample[:, None], question.comparisons]


# %% 09-pair-type
own = records.Design(("AB", "CB", "CD"), members=4)
told = {
    "AB": ("baseline", 0),
    "AA": ("reflexivity", 0),
    "BA": ("symmetry", 0),
    "AC": ("equivalence", 1),
    "AD": ("equivalence", 2),
}

# %% 09-random-limit
limit = equivalence.scoring.random_limit(4 * 1260)


# %% 09-shared-table
def tables(stimuli, width, rng):
    table = rng.normal(size=(stimuli, width))
    return table, table
