"""Logistic mixed models against quadrature, and against a chain on statsmodels' own density."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from cases import case
from scipy import optimize, special
from scipy.stats import norm
from scipy.stats import t as student
from statsmodels.genmod.bayes_mixed_glm import BinomialBayesMixedGLM

from cogkit.stats import mixed_logistic


def one_factor(groups: int, each: int, sd: float, seed: int) -> pd.DataFrame:
    r = np.random.default_rng(seed)
    frame = pd.DataFrame({"g": np.repeat(np.arange(groups), each), "x": np.tile([-0.5, 0.5], groups * each // 2)})
    eta = 0.5 + frame.x + np.repeat(r.normal(0, sd, groups), each)
    return frame.assign(y=(r.random(len(frame)) < special.expit(eta)).astype(int))


def crossed(people: int, items: int, seed: int) -> pd.DataFrame:
    r = np.random.default_rng(seed)
    frame = pd.DataFrame({"who": np.repeat(np.arange(people), items), "item": np.tile(np.arange(items), people)})
    frame["kind"] = frame["item"] % 2 - 0.5
    eta = 0.6 + 1.2 * frame.kind + r.normal(0, 0.9, people)[frame.who] + r.normal(0, 0.8, items)[frame["item"]]
    return frame.assign(y=r.random(len(frame)) < special.expit(eta))


def exact(frame: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return posterior means and sds of (intercept, x, ln σ): Gauss–Hermite over each group's intercept, then
    importance sampling of the three."""
    node, weight = np.polynomial.hermite_e.hermegauss(41)
    design = np.column_stack([np.ones(len(frame)), frame.x])
    sign = np.where(frame.y, 1.0, -1.0)[:, None]
    first = np.flatnonzero(np.diff(frame.g, prepend=-1))

    def minus(theta):
        eta = (design @ theta[:2])[:, None] + np.exp(theta[2]) * node
        sums = np.add.reduceat(special.log_expit(sign * eta), first)
        prior = (theta[:2] ** 2).sum() / 2**2 + theta[2] ** 2
        return prior / 2 - special.logsumexp(sums, axis=1, b=weight / weight.sum()).sum()

    mode = optimize.minimize(minus, np.zeros(3))
    z = np.random.default_rng(0).standard_t(6, (2500, 3))
    theta = mode.x + z @ np.linalg.cholesky(1.4 * mode.hess_inv).T
    share = special.softmax([-minus(row) - student.logpdf(draw, 6).sum() for row, draw in zip(theta, z, strict=True)])
    assert 1 / (share**2).sum() > 1500  # as good as so many independent draws
    mean = share @ theta
    return mean, np.sqrt(share @ (theta - mean) ** 2)


def posterior(table: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return means and sds on the scale that intervals are normal on: ln σ for random rows."""
    random = table.part == "random"
    mean = np.where(random, np.log(table.estimate.where(random, 1)), table.estimate)
    low, high = (np.where(random, np.log(table[c].where(random, 1)), table[c]) for c in ("low", "high"))
    return mean, (high - low) / (2 * norm.ppf(0.975))


def lopsided() -> pd.DataFrame:
    """One group has most of the answers: how far the intercept leans on it depends on σ."""
    right = [114, 3, 2, 4, 3, 2, 3]
    parts = [(np.arange(n) % n < k).astype(int) for n, k in zip([120] + [8] * 6, right, strict=True)]
    frame = pd.DataFrame({"g": np.repeat(np.arange(7), [120] + [8] * 6), "y": np.concatenate(parts)})
    return frame.assign(x=np.arange(len(frame)) % 2 - 0.5)


def test_one_column_is_the_posterior_by_quadrature():
    frames = (one_factor(20, 10, 1.0, 0), one_factor(12, 24, 0.3, 1), one_factor(30, 4, 1.2, 2), lopsided())
    for number, frame in enumerate(frames):
        expected, spread = exact(frame)
        table = mixed_logistic(frame, "y ~ x", ["g"])
        mean, se = posterior(table)
        with case(number):
            # The reference's own standard error is 1/√1500 sd = .026 of a mean and .018 of an sd.
            assert np.abs((mean - expected) / spread).max() < 0.05 + 4 * 0.026
            assert se / spread == pytest.approx(1, abs=0.05 + 4 * 0.018)
            assert table.se[:2].tolist() == pytest.approx(se[:2])
            assert table.converged.all() and (table.warnings == "").all()


def test_two_columns_are_the_posterior_of_statsmodels_density():
    """Hamiltonian Monte Carlo on the density of `BinomialBayesMixedGLM`, four chains."""
    frame = crossed(12, 10, 4)
    model = BinomialBayesMixedGLM.from_formula(
        "y ~ kind", {"who": "0 + C(who)", "item": "0 + C(item)"}, frame.assign(y=frame.y.astype(float))
    )
    chains, draws, burn = 4, 900, 150
    rng = np.random.default_rng(0)
    scale = np.r_[0.5, 0.6, 0.3, 0.3, np.full(22, 0.6)]
    samples = np.empty((chains, draws, 4))
    for chain in range(chains):
        at = np.r_[0.5, 1.0, -0.2, -0.2, rng.normal(0, 0.5, 22)]
        height = model.logposterior(at)
        for i in range(-burn, draws):
            force = rng.normal(size=at.size)
            new, speed, step = at, force, rng.uniform(0.1, 0.3)
            speed = speed + step / 2 * scale * model.logposterior_grad(new)
            for leap in range(8):
                new = new + step * scale * speed
                speed = speed + step * (1 if leap < 7 else 0.5) * scale * model.logposterior_grad(new)
            there = model.logposterior(new)
            if np.log(rng.random()) < there - height + (force @ force - speed @ speed) / 2:
                at, height = new, there
            if i >= 0:
                samples[chain, i] = at[:4]
    expected, spread = samples.mean(axis=(0, 1)), samples.std(axis=(0, 1))
    # Standard error of the mean by batches of 150 draws.
    batches = samples.reshape(chains * 6, 150, 4).mean(axis=1)
    error = batches.std(axis=0, ddof=1) / np.sqrt(len(batches))
    assert (error < 0.12 * spread).all()
    mean, se = posterior(mixed_logistic(frame, "y ~ kind", ["who", "item"]))
    assert (np.abs(mean - expected) < 0.05 * spread + 4 * error).all()
    # An sd from m independent draws has relative error 1 / √(2 m); the batches say what m is.
    assert (np.abs(se / spread - 1) < 0.05 + 4 * error / spread / np.sqrt(2)).all()


def test_table_is_that_of_mixed_models():
    frame = crossed(5, 8, 6)
    table = mixed_logistic(frame, "y ~ kind", ["who", "item"])
    assert table.part.tolist() == ["fixed", "fixed", "random", "random"]
    assert table.term.tolist() == ["Intercept", "kind", "who", "item"]
    assert table.groups.tolist() == ["5 × 8", "5 × 8", "5", "8"] and table.n.eq(40).all()
    assert table.warnings.eq("only 5 levels of who: its spread rests on the prior").all()
    fixed, random = table[table.part == "fixed"], table[table.part == "random"]
    assert (fixed.high - fixed.low).tolist() == pytest.approx((2 * norm.ppf(0.975) * fixed.se).tolist())
    assert fixed.p.tolist() == pytest.approx((2 * norm.sf(np.abs(fixed.estimate / fixed.se))).tolist())
    assert random[["se", "z", "p"]].isna().all(axis=None) and (random.low > 0).all()


def test_levels_that_are_all_right_or_all_wrong_converge():
    frame = one_factor(16, 12, 5.0, 1)
    means = frame.groupby("g").y.mean()
    assert (means.isin([0, 1])).sum() > 5
    table = mixed_logistic(frame, "y ~ x", ["g"])
    assert table.converged.all() and np.isfinite(table.estimate).all() and 1.5 < table.estimate[2] < 8
