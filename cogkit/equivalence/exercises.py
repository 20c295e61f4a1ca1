"""The exercises of the notebook on stimulus equivalence. Trials or training check each answer."""

from __future__ import annotations

import numpy as np

from cogkit.core import seeding
from cogkit.core.errors import InputError
from cogkit.equivalence import scoring
from cogkit.equivalence.learners import floors
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import OPTIONS, TYPES, Design, Question, Trials
from cogkit.study.exercises import Exercises, number

EXERCISES = Exercises(__file__)

_SUCCESS = 0.85  # both agents of the article exceed it in LS select-reject
_EACH = 60
_WIDTH, _STEPS, _RATE, _TEMPERATURE = 24, 400, 0.5, 0.3


class _Scorer:
    """The user's function as a learner: it chooses the highest score, and splits ties."""

    def __init__(self, score, trained: Trials) -> None:
        self.score, self.trained = score, trained

    def choose(self, question: Question) -> np.ndarray:
        scores = np.asarray(self.score(self.trained, question), dtype=float)
        if scores.shape != (len(question), OPTIONS) or not np.isfinite(scores).all():
            raise InputError(f"scores of shape {scores.shape}", f"finite scores of shape {(len(question), OPTIONS)}")
        return floors.highest(scores)


def _shares(learner, design: Design) -> dict[str, tuple[float, int]]:
    """Return the probability of the right answer by type of trial, and the number of trials."""
    trials = records.probe(design, _EACH, seeding.stream(20_242, "exercise"))
    chances = scoring.judge(learner, trials).right
    return {name: (float(chances[trials.types == name].mean()), int((trials.types == name).sum())) for name in TYPES}


@EXERCISES("09-which-agent", "scores(trained, question)")
def _which_agent(answer) -> bool | str:
    paper_shares, standard_shares = (
        _shares(_Scorer(answer, records.training(design)), design)
        for design in (Design(), Design(negatives="standard"))
    )
    for name, (share, _) in paper_shares.items():
        if share < _SUCCESS:
            return f"with the article's wrong comparisons it is right in {share:.2f} of {name}, not in {_SUCCESS}"
    for name in TYPES[1:]:
        share, n = standard_shares[name]
        if share > scoring.random_limit(n):
            return f"with wrong comparisons of the same letter it is right in {share:.2f} of {name}: it knows too much"
    return True


@EXERCISES("09-pair-type")
def _pair_type(answer) -> bool | str:
    design, claims = answer
    if not isinstance(design, Design) or isinstance(design.structure, str):
        return "the first part must be a Design with trained pairs of your own"
    pairs = design.pairs()
    correct = dict(zip(design.pair_names, zip(pairs.relation, pairs.nodes, strict=True), strict=True))
    for pair, claim in claims.items():
        if pair not in correct:
            return f"{pair} is not a pair of members of this design"
        if tuple(claim) != correct[pair]:
            return f"{pair} is not {' with '.join(map(str, claim))} members between"
    gaps = set(pairs.relation) - {correct[pair][0] for pair in claims}
    return f"there is no pair yet for {' and '.join(sorted(gaps))}" if gaps else True


@EXERCISES("09-random-limit")
def _random_limit(answer) -> bool | str:
    design = Design()
    n = len(records.tests(design)) // design.members**2
    limit = scoring.random_limit(n)
    return number(answer, limit, 0.0005)


class _Embedded:
    """Chooses the comparison with the vector most similar to the sample's, and learns from wrong choices."""

    def __init__(self, samples: np.ndarray, comparisons: np.ndarray) -> None:
        self.samples, self.comparisons = samples, comparisons

    def choose(self, question: Question) -> np.ndarray:
        fits = np.einsum("nw,nkw->nk", self.samples[question.sample], self.comparisons[question.comparisons])
        chances = np.exp((fits - fits.max(axis=1, keepdims=True)) / _TEMPERATURE)
        return chances / chances.sum(axis=1, keepdims=True)

    def learn(self, trained: Trials) -> None:
        """Minimise the cross-entropy of all trials, in place; if both tables are one array, they stay one."""
        question, rate = trained.question(), _RATE / _TEMPERATURE * len(self.samples) / len(trained)
        for _ in range(_STEPS):
            errors = self.choose(question)
            errors[np.arange(len(errors)), trained.correct] -= 1
            sample, comparisons = self.samples[question.sample], self.comparisons[question.comparisons]
            np.add.at(self.samples, question.sample, -rate * np.einsum("nk,nkw->nw", errors, comparisons))
            np.add.at(self.comparisons, question.comparisons, -rate * errors[:, :, None] * sample[:, None])
            for table in (self.samples, self.comparisons):
                table /= np.linalg.norm(table, axis=1, keepdims=True)


@EXERCISES("09-shared-table", "tables(stimuli, width, rng)")
def _shared_table(answer) -> bool | str:
    design = Design(negatives="standard")
    samples, comparisons = answer(design.stimuli, _WIDTH, seeding.stream(20_243, "exercise"))
    shapes, wanted = (np.shape(samples), np.shape(comparisons)), (design.stimuli, _WIDTH)
    if shapes != (wanted, wanted):
        return f"the shapes are {shapes[0]} and {shapes[1]}, and both must be {wanted}"
    agent = _Embedded(samples, comparisons)
    agent.learn(records.training(design))
    for name, (share, _) in _shares(agent, design).items():
        if share < scoring.MASTERY:
            return f"after training it is right in {share:.2f} of {name}, which is below mastery ({scoring.MASTERY})"
    return True


@EXERCISES("11-perfect-shortcut")
def _perfect_shortcut(answer) -> bool | str:
    """Judge the name of a task: a shortcut must be right in every trial of it, and none was trained."""
    structure, relation, name = str(answer).split("/") if str(answer).count("/") == 2 else ("", "", "")
    if structure not in records.STRUCTURES or relation not in records.RELATIONS or name not in TYPES:
        return f"{answer!r} is no task, such as 'LS/select-only/transitivity'"
    if name == TYPES[0]:
        return f"pairs of {name} were trained, so that memory alone is enough"
    design = Design(structure, relation)
    best = max(_shares(floors.Associative(design, undirected), design)[name][0] for undirected in (False, True))
    return True if best == 1 else f"the better shortcut is right in {best:.2f} of these trials"
