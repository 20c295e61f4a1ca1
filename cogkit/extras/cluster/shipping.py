"""Many agents of tiles that learn as one network, for ``cogkit ship --together``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from cogkit.app import experiments
from cogkit.core.cost import Spent, forget
from cogkit.core.errors import InputError, some
from cogkit.core.instruments import Cell
from cogkit.core.presets import preset as valid_preset
from cogkit.core.presets import profile as valid_profile
from cogkit.data import results
from cogkit.extras.cluster import stacked
from cogkit.extras.cluster.stacked import StackConfig
from cogkit.learning import run
from cogkit.tiles.learners import training
from cogkit.tiles.learners.agents import AgentConfig


def ship_together(
    cells: Sequence[Cell], seeds: Iterable[int] = (0,), profile: str = "verified", preset: str = "lab", folder=None,
    checkpoint=None,
) -> Iterator[Path]:  # fmt: skip
    """Run all cells with all seeds as one network, add their result rows to the shipped table, and yield its file.

    On a GPU this takes about as long as one run. No weights are written. Choices are drawn with other random numbers
    than in a run alone, so each manifest says how many learnt together; its ``seconds`` are an equal share. With
    ``checkpoint``, a file, a run that was stopped goes on from there.

    Raises
    ------
    InputError
        Not all cells can learn as one network.
    """
    profile, preset = valid_profile(profile), valid_preset(preset)
    runs = [(cell, experiments.config_of(cell, preset), seed) for cell in cells for seed in seeds]
    if not all(isinstance(config, AgentConfig) for _, config, _ in runs):
        raise InputError(some([cell.id for cell in cells], 3), "cells that learn as one network, such as tiles/epn/*")
    tasks = dict.fromkeys(config.task for _, config, _ in runs)
    stack = StackConfig(runs[0][1], tuple(tasks), tuple(dict.fromkeys(seed for *_, seed in runs)))
    if stack.members != [run[1:] for run in runs]:
        raise InputError(f"{len(runs)} runs", "each task with each seed, of configs that differ in their tasks alone")
    forget()
    every = training.evaluate_every(stack.agent)
    fit = stacked.train(stack, profile, checkpoint=checkpoint, save_every=every, log_every=every)
    before = fit.result.cpu_seconds
    with Spent() as spent:
        players = map(training.to_agent, stacked.results(run(fit)))
        pairs = zip(players, runs, strict=True)
        tables = [training.assess(agent, profile, seed) + training.curve(agent) for agent, (*_, seed) in pairs]
    made = []
    for (cell, config, seed), rows in zip(runs, tables, strict=True):
        manifest = results.manifest(cell.id, config, profile, preset, seed, (before + spent.seconds) / len(runs))
        manifest = replace(manifest, device=f"{manifest.device}, {len(runs)} learners as one network")
        made.append((manifest, experiments.complete(rows, cell, profile, preset, seed)))
    yield results.Shipped(folder or results.shipped_folder(cells[0].id.split("/")[0])).write(made)
