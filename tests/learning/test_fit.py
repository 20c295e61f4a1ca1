"""`Fit`: whatever ends a run, a resumed one is the run that was never ended, bit for bit."""

from __future__ import annotations

import asyncio
import json
import math
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch
import training
from cases import case
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import nn

from cogkit.core.errors import InputError
from cogkit.learning import Fit, State, run

PROGRAM = [sys.executable, training.__file__]
PIPES = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}


pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def straight():
    """200 steps without a break, and without a checkpoint."""
    return run(training.fit(200))


def same(one, other) -> None:
    """Assert that two results are equal in every bit that a further step could depend on."""
    assert (one.steps, one.stopped) == (other.steps, other.stopped)
    a, b = one.state, other.state
    assert a.rng.bit_generator.state == b.rng.bit_generator.state and a.scalars == b.scalars
    for name, module in a.modules.items():
        assert_same(module.state_dict(), b.modules[name].state_dict())
    for name, optimiser in a.optimisers.items():
        mine, its = optimiser.state_dict(), b.optimisers[name].state_dict()
        assert mine["state"].keys() == its["state"].keys() and mine["state"]
        for index, entries in mine["state"].items():
            assert_same(entries, its["state"][index])
        assert json.loads(json.dumps(mine["param_groups"])) == json.loads(json.dumps(its["param_groups"]))
    assert_same(a.arrays, b.arrays)
    pd.testing.assert_frame_equal(one.log, other.log, check_exact=True)


def assert_same(mine: dict, its: dict) -> None:
    for name, value in mine.items():
        assert np.array_equal(np.asarray(value), np.asarray(its[name])), name


def test_the_learner_of_these_tests_depends_on_everything_saved(straight):
    """Otherwise the equalities below would hold for nothing."""
    assert straight.steps == 200 and not straight.stopped
    other_seed = run(training.fit(200, seed=1))
    assert not torch.equal(*(r.state.modules["net"][0].weight for r in (straight, other_seed)))
    assert straight.state.arrays["counts"].sum() == 200
    assert len(straight.log) == 200 and straight.log["drawn"].notna().sum() == 20
    assert straight.log["loss"].iloc[-50:].mean() < straight.log["loss"].iloc[:50].mean()


def test_checkpoints_change_nothing_and_100_plus_100_is_200(straight, tmp_path):
    path = tmp_path / "run.safetensors"
    first = run(training.fit(100, path))
    assert first.steps == 100 and not first.stopped
    resumed = training.fit(200, path)
    assert resumed.result.steps == 100 and resumed.result.stopped
    same(run(resumed), straight)
    assert resumed.result.seconds > first.seconds and resumed.result.cpu_seconds > first.cpu_seconds > 0
    assert [file.name for file in tmp_path.iterdir()] == ["run.safetensors"]


def test_what_was_trained_before_counts_once():
    assert 100 < run(training.fit(3, spent=100.0)).cpu_seconds < 200


def ran(code: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-c", f"import training\n{code}"]
    return subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True)


FULL = """import resource
from cogkit.core.errors import InputError
fit = training.fit(30, {!r}, save_every=10)
training.run(fit)
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
fit.steps = 60
try:
    training.run(fit)
except InputError as error:
    print(error, fit.result.steps, sep="\\n")
"""


def test_a_disk_that_is_full_at_a_checkpoint_is_a_sentence_and_costs_no_earlier_one(straight, tmp_path):
    """A limit on the size of files breaks the write off half-way, as a full disk does."""
    path = tmp_path / "run.safetensors"
    sentence, steps = ran(FULL.format(str(path))).stdout.splitlines()
    assert sentence.startswith("wanted a file that can be written, got ") and "File too large" in sentence
    assert steps == "40" and [file.name for file in tmp_path.iterdir()] == ["run.safetensors"]
    resumed = training.fit(200, path)
    assert resumed.result.steps == 30
    same(run(resumed), straight)


def test_interrupted_by_a_real_signal_ends_after_a_whole_step(straight, tmp_path):
    path = tmp_path / "run.safetensors"
    with subprocess.Popen([*PROGRAM, str(path), "100000", "7"], **PIPES) as process:
        process.stdin.write("go on\n" * 2000)
        process.stdin.flush()
        for _ in range(60):
            assert process.stdout.readline() == "step\n"
        process.send_signal(signal.SIGINT)
        lines = process.stdout.read().splitlines()
    assert process.returncode == 0
    count = 60 + lines.count("step")
    assert lines[-1] == f"ended {count} True" and 60 <= count < 2000
    resumed = training.fit(count + 1, path)
    assert resumed.result.steps == count  # saved at the end, not only every seventh step
    same(run(resumed), run(training.fit(count + 1)))


def test_a_step_runs_on_one_thread_and_leaves_the_rest_as_it_was():
    def step(state):
        return {"threads": torch.get_num_threads()}

    before = torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        fit = Fit(lambda config, rng: State(rng), step, {}, steps=4, seed=0, evaluate=step, evaluate_every=2)
        for _ in fit:
            assert torch.get_num_threads() == 3
        assert set(fit.result.log.threads) == {1} and torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize("fault", [ZeroDivisionError, KeyboardInterrupt])
def test_an_error_or_a_second_interrupt_breaks_in_and_the_checkpoint_stands(fault, straight, tmp_path):
    def step(state):
        metrics = training.step(state)
        if state.arrays["counts"].sum() == 8:
            if fault is ZeroDivisionError:
                raise ZeroDivisionError("of the learner")
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
        return metrics

    path = tmp_path / "run.safetensors"
    options = {"evaluate": training.evaluate, "evaluate_every": 10, "checkpoint": path, "save_every": 5}
    fit = Fit(training.setup, step, training.Config(), steps=20, seed=0, **options)
    with pytest.raises(fault):
        run(fit)
    with pytest.raises(RuntimeError, match="step 8 broke off half-way"):
        fit.result  # noqa: B018
    with pytest.raises(RuntimeError, match="last checkpoint"):
        next(iter(fit))
    resumed = training.fit(200, path)
    assert resumed.result.steps == 5
    same(run(resumed), straight)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_stopped_then_resumed_here_and_from_the_file(straight, tmp_path):
    fit = training.fit(200, tmp_path / "run.safetensors")
    for _ in fit:
        fit.stop()
    assert fit.result.steps == 1 and fit.result.stopped
    from_file = training.fit(200, tmp_path / "run.safetensors")
    assert from_file.result.steps == 1
    same(run(from_file), straight)
    same(run(fit), straight)


def test_a_program_that_ends_before_the_loop_keeps_the_last_whole_step_and_says_nothing(straight, tmp_path):
    path = tmp_path / "run.safetensors"
    done = ran(f"loop = iter(training.fit(200, {str(path)!r}))\nnext(loop)")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    resumed = training.fit(200, path)
    assert resumed.result.steps == 1
    same(run(resumed), straight)


def test_async_iteration_hears_a_stop_from_another_task(straight):
    async def both():
        fit = training.fit(100_000)
        heard = []

        async def button():
            while fit.result.steps < 30:
                await asyncio.sleep(0)
            fit.stop()
            heard.append(fit.result.steps)

        pressing = asyncio.create_task(button())
        reports = [progress async for progress in fit]
        await pressing
        return fit, heard, reports

    fit, heard, reports = asyncio.run(both())
    assert fit.result.stopped and fit.result.steps == reports[-1].step <= heard[0] + 1
    fit.steps = 200
    same(run(fit), straight)


def test_the_first_and_the_last_step_are_reported():
    def step(state):
        state.scalars["count"] += 1
        return {"count": state.scalars["count"]}

    def setup(config, rng):
        return State(rng, scalars={"count": 0})

    fit = Fit(setup, step, {}, steps=20_000, seed=0, view=lambda state: state.scalars)
    first, *_, last = fit
    assert (first.step, last.step) == (1, 20_000)
    assert last.metrics == {"count": 20_000.0} and last.view() == {"count": 20_000}
    assert [report.step for report in fit] == [20_000]  # a finished fit still says how it ended


def test_nothing_outside_is_disturbed_and_two_fits_side_by_side_are_two_fits(straight):
    torch.manual_seed(5)
    before = torch.get_rng_state()
    first, second = training.fit(200), training.fit(200)
    for _ in zip(first, second, strict=False):
        torch.rand(1)
        np.random.default_rng().normal()
    torch.manual_seed(5)
    assert torch.equal(torch.get_rng_state(), before)
    same(run(first), straight)
    same(run(second), straight)
    assert torch.equal(torch.get_rng_state(), before)


def test_evaluation_leaves_training_untouched(straight):
    never = run(Fit(training.setup, training.step, training.Config(), steps=200, seed=0))
    assert torch.equal(never.state.modules["net"][0].weight, straight.state.modules["net"][0].weight)
    assert list(never.log["loss"]) == list(straight.log["loss"])


def test_broken_and_foreign_checkpoints_are_one_sentence(tmp_path):
    path = tmp_path / "run.safetensors"
    run(training.fit(10, path))
    checkpoint = path.read_bytes()

    def refused(match, **changes):
        content = path.read_bytes()
        with pytest.raises(InputError, match=match) as error:
            options = {"steps": 20, "seed": 0, "checkpoint": path, "config": training.Config()} | changes
            Fit(options.pop("setup", training.setup), training.step, **options)
        assert "\n" not in str(error.value) and path.read_bytes() == content

    refused(r"wanted config.width 6, got config.width 8 in .*run", config=training.Config(width=6))
    refused("wanted seed 4, got seed 0", seed=4)
    refused("wanted a whole checkpoint", checkpoint=tmp_path)
    bigger = training.Config(width=9)
    refused(r"arrays/carried \(16, 8\) torch.float32", setup=lambda _, rng: training.setup(bigger, rng))

    def without_head(config, rng):
        state = training.setup(config, rng)
        del state.optimisers["head"]
        return state

    refused("optimisers/head present", setup=without_head)
    cut = [checkpoint[:length] for length in (0, 7, 100, len(checkpoint) // 2, len(checkpoint) - 1)]
    for content in (*cut, b"PK\x03\x04" + bytes(500)):
        path.write_bytes(content)
        refused("wanted a whole checkpoint")
    path.write_bytes(checkpoint)
    tensors = load_file(path)
    with safe_open(path, framework="pt") as file:
        facts = file.metadata()
    save_file(tensors | {"torch/0": torch.full_like(tensors["torch/0"], 255)}, path, facts)
    refused("Invalid mt19937 state")
    save_file({"weight": torch.zeros(3)}, path)
    refused("wanted a checkpoint of cogkit.learning, of format 1")
    save_file({"weight": torch.zeros(3)}, path, {"cogkit": '{"format": 99}'})
    refused("of format 1, got the facts in .*99")


def cycle(steps: int, path, scalars: dict) -> Fit:
    """A fit whose learning rate and momentum go up and down, as a scheduler of torch sets them."""

    def setup(config, rng):
        net = nn.Linear(2, 1)
        adam = torch.optim.Adam(net.parameters())
        torch.optim.lr_scheduler.OneCycleLR(adam, 0.5, 10)  # sets the rate of the first step, and what a group holds
        return State(rng, {"net": net}, {"adam": adam}, scalars=dict(scalars))

    def step(state):
        (group,) = state.optimisers["adam"].param_groups
        group["lr"], group["betas"] = group["lr"] * 0.9, (group["betas"][0] * 0.99, group["betas"][1])
        state.scalars |= {"best": 0.25, "worst": math.nan, "count": state.scalars["count"] + 1}
        state.modules["net"](torch.ones(3, 2)).square().mean().backward()
        state.optimisers["adam"].step()
        return {"rate": group["lr"]}

    return Fit(setup, step, {}, steps=steps, seed=0, checkpoint=path)


def spoilt(path, place: str, value) -> None:
    """Put a value in the place of another in the facts of a checkpoint."""
    with safe_open(path, framework="pt") as file:
        facts = json.loads(file.metadata()["cogkit"])
    *parents, last = place.split("/")
    part = facts
    for name in parents:
        part = part[int(name) if isinstance(part, list) else name]
    part[last] = value
    save_file(load_file(path), path, {"cogkit": json.dumps(facts)})


FRESH = {"best": None, "worst": 1.0, "count": 0}


def test_settings_and_scalars_that_steps_change_go_on(tmp_path):
    path = tmp_path / "run.safetensors"
    straight = run(cycle(6, None, FRESH))
    run(cycle(3, path, FRESH))
    resumed = run(cycle(6, path, FRESH))
    assert list(resumed.log["rate"]) == list(straight.log["rate"]) and resumed.log["rate"].nunique() == 6
    assert str(resumed.state.scalars) == str(straight.state.scalars) == "{'best': 0.25, 'worst': nan, 'count': 6}"
    (mine,), (its,) = (one.state.optimisers["adam"].param_groups for one in (resumed, straight))
    assert mine["betas"] == its["betas"] and mine["lr"] == its["lr"]


def test_settings_that_no_step_could_have_made_are_refused(tmp_path):
    faults = {
        "optimisers/adam/param_groups/0/lr": (None, True, "0.1", [0.1], -0.1, 1e300, 10**40),
        "optimisers/adam/param_groups/0/betas": ([0.9], [0.9, 1.0], 0.9, [0.9, None]),
        "optimisers/adam/param_groups/0/weight_decay": (1, 10**400),
        "optimisers/adam/param_groups/0/capturable": (True, None, 0),
        "optimisers/adam/param_groups/0/params": ([0], [1, 0], [0, 1, 2]),
        "scalars/count": (None, "3", True),
        "scalars/worst": ("1",),
        "scalars/best": ([],),
    }
    path, again = tmp_path / "run.safetensors", tmp_path / "again.safetensors"
    run(cycle(3, path, FRESH))
    for place, value in [(place, value) for place, values in faults.items() for value in values]:
        again.write_bytes(path.read_bytes())
        spoilt(again, place, value)
        with case((place, value)), pytest.raises(InputError, match="again"):
            cycle(6, again, FRESH)


def test_resuming_keeps_shared_memory_shared(tmp_path):
    path = tmp_path / "run.safetensors"
    run(training.fit(10, path))
    counts = np.zeros(4, dtype=np.uint64)

    def setup(config, rng):
        state = training.setup(config, rng)
        state.arrays["counts"] = counts
        return state

    Fit(setup, training.step, training.Config(), steps=20, seed=0, checkpoint=path)
    assert counts.sum() == 10


def test_a_fused_optimiser_of_weights_with_channels_last_goes_on_exactly(tmp_path):
    def setup(config, rng):
        net = nn.Conv2d(3, 5, 3).to(memory_format=torch.channels_last)
        return State(rng, {"net": net}, {"net": torch.optim.AdamW(net.parameters(), lr=0.1, fused=True)})

    def step(state):
        loss = state.modules["net"](torch.randn(4, 3, 8, 8)).square().mean()
        state.optimisers["net"].zero_grad()
        loss.backward()
        state.optimisers["net"].step()
        return {"loss": loss.item()}

    expected = run(Fit(setup, step, {}, steps=6, seed=0)).state.modules["net"].state_dict()
    run(Fit(setup, step, {}, steps=3, seed=0, checkpoint=tmp_path / "fit.ckpt"))
    resumed = run(Fit(setup, step, {}, steps=6, seed=0, checkpoint=tmp_path / "fit.ckpt"))
    for name, weights in resumed.state.modules["net"].state_dict().items():
        assert torch.equal(weights, expected[name])
