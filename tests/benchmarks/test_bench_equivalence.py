"""The speed of trials, of training and of judging at the paper's size, beside rivals that do the same, in the same run.

Not part of the test run. All times are processor time of one process and one thread::

    OMP_NUM_THREADS=1 .venv/bin/python -m pytest -o addopts="" tests/benchmarks/test_bench_equivalence.py

The rivals: for trials, the article's own construction, every four stimuli made and filtered, in numpy; for the floor
and EPS, the plain loops of their tests, one trial after the other; for the networks, `torch.nn.TransformerEncoder` with
our weights, in the number format and batch that suit it best of those tried, and one trial at a time, as the published
program asked. Rounds of all alternate, the best of each counts, and tables stand at the end.
``COGKIT_BENCH_TRIALS`` is how many trials are judged in place of all 246,960 (0); a few thousand make a dry run.
"""

from __future__ import annotations

import os
import runpy
import time
from collections.abc import Callable
from contextlib import contextmanager
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from cogkit.equivalence.learners import agents, eps, floors, models
from cogkit.equivalence.problems import records
from cogkit.equivalence.problems.records import Design
from cogkit.learning.context import precision

_ROUNDS, _STEPS, _ALONE = 3, 20, 100
_SIZES = (128, 256, 512, 1024, 2048, 4096)
_FORMATS = (torch.float32, torch.bfloat16)
_LEARNERS = Path(__file__).parents[1] / "equivalence" / "learners"
_TRIALS = int(os.environ.get("COGKIT_BENCH_TRIALS", "0")) or None
pytestmark = pytest.mark.usefixtures("one_thread")


def seconds(call: Callable[[], object]) -> float:
    began = time.process_time()
    call()
    return time.process_time() - began


def filtered(design: Design) -> np.ndarray:
    """Return the article's trials: of all four stimuli in a row, those with one comparison of the sample's class."""
    rows = np.stack(np.meshgrid(*[np.arange(design.stimuli)] * 4, indexing="ij"), axis=-1).reshape(-1, 4)
    sample, comparisons = rows[:, 0] // design.members, rows[:, 1:] // design.members
    right = comparisons == sample[:, None]
    a, b, c = rows[:, 1:].T
    mask = (right.sum(axis=1) == 1) & (a != b) & (a != c) & (b != c)
    answer = design.stimuli + design.dummies + right[mask].argmax(axis=1)
    return np.column_stack([rows[mask], answer]).astype(np.uint8)


class Encoder(nn.Module):
    """The same network of torch's own layers, with our weights: what a reader would build first."""

    def __init__(self, ours: models.Transformer, config: agents.TransformerConfig) -> None:
        super().__init__()
        self.token, self.place, self.after, self.head = ours.token, ours.place, ours.after, ours.head
        layer = nn.TransformerEncoderLayer(
            config.width, config.heads, 4 * config.width, config.dropout, batch_first=True, norm_first=True
        )
        self.layers = nn.TransformerEncoder(layer, config.layers, enable_nested_tensor=False)
        for theirs, block in zip(self.layers.layers, ours.blocks, strict=True):
            for name, weight in (
                ("self_attn.in_proj_weight", block.qkv.weight), ("self_attn.out_proj.weight", block.out.weight),
                ("self_attn.out_proj.bias", block.out.bias), ("linear1.weight", block.up.weight),
                ("linear1.bias", block.up.bias), ("linear2.weight", block.down.weight),
                ("linear2.bias", block.down.bias), ("norm1.weight", block.before.weight),
                ("norm1.bias", block.before.bias), ("norm2.weight", block.between.weight),
                ("norm2.bias", block.between.bias),
            ):  # fmt: skip
                theirs.get_parameter(name).data.copy_(weight.data)
            theirs.self_attn.in_proj_bias.data.zero_()
        self.mask = nn.Transformer.generate_square_subsequent_mask(4) if config.mask == "causal" else None

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.token(tokens) + self.place.weight
        return self.head(self.after(self.layers(x, mask=self.mask, is_causal=self.mask is not None)))

    def loss(self, trials: Tensor) -> Tensor:
        return nn.functional.cross_entropy(self(trials[:, :4]).flatten(0, 1).float(), trials[:, 1:].flatten())


@contextmanager
def computing(dtype: torch.dtype):
    with torch.autocast("cpu", dtype, enabled=dtype != torch.float32):
        yield


@torch.no_grad()
def ask(network: Encoder, tokens: Tensor, size: int, dtype: torch.dtype) -> Tensor:
    with computing(dtype):
        return torch.cat([network(part)[:, -1].float().softmax(dim=1) for part in tokens.split(size)])


def steps(network: nn.Module, data: Tensor, dtype: torch.dtype, n: int = _STEPS) -> Callable[[], None]:
    """Return a call that trains a network for n steps of 64 trials, as the paper does."""
    adam = torch.optim.AdamW(network.parameters(), lr=3e-4, fused=True)

    def call() -> None:
        network.train()
        for _ in range(n):
            batch = data[torch.randint(len(data), (64,))]
            with computing(dtype):
                loss = network.loss(batch)
            adam.zero_grad()
            loss.backward()
            adam.step()

    return call


def shown_of(trials: records.Trials) -> Tensor:
    return torch.from_numpy(trials.tokens[:, :4].astype(np.int64))


def alternate(calls: dict[str, Callable[[], object]], rounds: int = _ROUNDS) -> dict[str, float]:
    """Return the seconds of each call's best round, the rounds of all taken in turn."""
    spent = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            spent[name].append(seconds(call))
    return {name: min(times) for name, times in spent.items()}


def show(request, head: str, lines: list[str]) -> None:
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print("\n\n" + head + "\n|" + "---|" * head.count("|", 1) + "\n" + "\n".join(lines))


def test_trials(request):
    design = Design()
    ours, theirs = records.tests(design).tokens, filtered(design)
    order = [np.lexsort(part.T[::-1]) for part in (ours, theirs)]
    assert (ours[order[0]] == theirs[order[1]]).all()
    best = alternate({"ours": partial(records.tests, design), "filter": partial(filtered, design)}, rounds=5)
    lines = [f"| problems.tests | {1000 * best['ours']:.1f} | |"]
    ratio = best["filter"] / best["ours"]
    lines += [f"| numpy, all 614,656 made and filtered | {1000 * best['filter']:.0f} | {ratio:.0f} × |"]
    show(request, "| all 246,960 trials | ms | ours is |", lines)
    assert ratio > 1


def test_floor(request):
    design, plain = Design(), runpy.run_path(str(_LEARNERS / "test_floors.py"))
    trials = records.tests(design)[:_TRIALS]
    floor, known, question = floors.Associative(design), plain["naive"](design, False), trials.question()
    assert floor.choose(question).tolist() == list(plain["naive_answers"](trials, *known))
    calls = {
        "floors.Associative": partial(floor.choose, question),
        "a plain loop": lambda: list(plain["naive_answers"](trials, *known)),
    }
    _beside_a_loop(request, f"{len(trials):,} trials judged by the floor", alternate(calls))


def test_eps(request):
    config, naive = eps.EPSConfig(Design("LS", "select-only")), runpy.run_path(str(_LEARNERS / "test_eps.py"))
    trials, uniforms = naive["drawn"](config.design, config.trials)
    ours, rival = (partial(learn, trials, uniforms, config) for learn in (eps.learn, naive["naive_training"]))
    weights, edges = ours()[0], rival()[0]  # the first of ours compiles
    assert np.isfinite(weights).sum() == len(edges)
    assert sorted(weights[np.isfinite(weights)]) == pytest.approx(sorted(edges.values()))
    _beside_a_loop(request, f"EPS on {len(trials):,} trials", alternate({"eps.learn": ours, "a plain loop": rival}))


def _beside_a_loop(request, what: str, best: dict[str, float]) -> None:
    (name, ours), (loop, theirs) = best.items()
    lines = [f"| {name} | {1000 * ours:.1f} | |", f"| {loop} | {1000 * theirs:.0f} | {theirs / ours:.0f} × |"]
    show(request, f"| {what} | ms | ours is |", lines)
    assert ours < theirs


@pytest.mark.parametrize("who", ("gpt", "bert"))
def test_judging(request, who):
    torch.manual_seed(0)
    config = agents.config(who, "paper", design=Design())
    network = models.build(config).eval()
    agent, rival = models.Agent(network, config), Encoder(network, config).eval()
    trials = records.tests(config.design)[:_TRIALS]
    inputs, question = shown_of(trials), trials.question()
    sample = inputs[:: max(1, len(inputs) // 2000)]
    exact = ask(rival, sample, 256, torch.float32).roll(3, dims=1).numpy()
    gaps = np.abs(agent.choose(trials[:: max(1, len(inputs) // 2000)].question()) - exact).max()
    assert gaps < 0.02  # one function; bfloat16 rounds to three digits
    part = inputs[:4096]
    times = {how: seconds(partial(ask, rival, part, *how)) for how in product(_SIZES, _FORMATS)}
    size, dtype = min(times, key=times.get)
    alone = {d: seconds(partial(ask, rival, inputs[:_ALONE], 1, d)) * len(inputs) / _ALONE for d in _FORMATS}
    best = alternate({"ours": partial(agent.choose, question), "rival": partial(ask, rival, inputs, size, dtype)}, 2)
    lines = [f"| Agent.choose, {precision(models.is_half(config))} | {best['ours']:.1f} | |"]
    label = f"nn.TransformerEncoder, batches of {size}, {dtype}"
    lines += [f"| {label} | {best['rival']:.1f} | {best['rival'] / best['ours']:.1f} × |"]
    form = min(alone, key=alone.get)
    lines += [
        f"| one trial at a time, {form} ({_ALONE} timed) | {alone[form]:.0f} | {alone[form] / best['ours']:.0f} × |"
    ]
    show(request, f"| {who}: {len(inputs):,} trials judged | CPU s | ours is |", lines)


def test_training(request):
    config = agents.config("gpt", "paper", design=Design())
    data = torch.from_numpy(records.training(config.design).tokens.astype(np.int64))
    calls = {}
    for dtype in _FORMATS:
        ours = models.build(config)
        calls[f"ours, {dtype}"] = steps(ours, data, dtype)
        calls[f"nn.TransformerEncoder, {dtype}"] = steps(Encoder(models.build(config), config), data, dtype)
    for call in calls.values():
        call()  # the first steps allocate
    rates = {name: _STEPS / spent for name, spent in alternate(calls).items()}
    lines = [
        f"| {name} | {rate:.1f} | {'' if name.startswith('ours') else f'{_best(rates) / rate:.2f} ×'} |"
        for name, rate in rates.items()
    ]
    show(request, "| training, steps of 64 trials | steps a CPU s | our best is |", lines)


def _best(rates: dict[str, float]) -> float:
    return max(rate for name, rate in rates.items() if name.startswith("ours"))
