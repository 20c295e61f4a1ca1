"""`live`: what is drawn is the log, no more often than promised, and whatever ends the loop keeps the model."""

from __future__ import annotations

import asyncio

import numpy as np
import pandas as pd
import pytest
import training

from cogkit.core.errors import InputError
from cogkit.learning import Fit, State, run
from cogkit.ui import theme
from cogkit.ui.live import Line, RunPanel, chart, live, points


def test_a_long_log_keeps_its_ends_and_every_peak_and_invents_nothing():
    rng = np.random.default_rng(0)
    values = rng.normal(size=20_000).cumsum()
    values[rng.random(20_000) < 0.3] = np.nan
    values[[7_777, 12_345]] = 900, -900
    log = pd.DataFrame({"step": np.arange(1, 20_001), "loss": values})
    rows = log.dropna()
    curve = points(log, "loss")
    assert len(curve) <= 500 and (np.diff(curve[:, 0]) > 0).all()
    assert {tuple(row) for row in curve} <= {tuple(row) for row in rows.to_numpy(dtype=float)}
    assert curve[0, 0] == rows.step.iloc[0] and curve[-1, 0] == rows.step.iloc[-1]
    assert {(7_778, 900), (12_346, -900)} <= {tuple(row) for row in curve}


def test_the_chart_is_the_log():
    log = pd.DataFrame({"step": [1, 2, 3, 4], "loss": [0.5, 0.4, 0.3, 0.2], "drawn": [np.nan, 7.0, np.nan, 9.0]})
    figure = chart(log, {"loss (lower is better ↓)": "loss", "both": ["drawn"]}, {"drawn": [Line("floor", "none", 5)]})
    first, second = figure.data
    assert (list(first.x), list(first.y)) == ([1, 2, 3, 4], [0.5, 0.4, 0.3, 0.2])
    assert (list(second.x), list(second.y)) == ([2, 4], [7, 9])
    labels = [note.text for note in figure.layout.annotations]
    assert labels == ["loss (lower is better ↓)", "both", "none 5"] and first.line.color == "#D55E00"
    (level,) = figure.layout.shapes
    assert (level.y0, level.y1, level.line.dash, level.line.color) == (5, 5, "dash", theme.WHO["floor"].colour)
    alt = "loss (lower is better ↓): loss from 0.5 at step 1 to 0.2 at step 4. "
    alt += "both: drawn from 7 at step 2 to 9 at step 4; none 5."
    assert figure.layout.meta["alt"] == alt
    assert [trace.name for trace in chart(log).data] == ["loss", "drawn"]
    several = chart(pd.DataFrame([{"step": 1} | dict.fromkeys("abcd", 0.5)]), {"all": list("abcd")})
    assert len({(t.line.color, t.line.dash, t.marker.symbol) for t in several.data}) == 4  # each told apart
    with pytest.raises(InputError, match="1 to 4 on one pair of axes, got 5 metrics for 'all'"):
        chart(log, {"all": list("abcde")})


def test_in_a_script_it_is_the_straight_run_and_prints_nothing(capsys):
    async def watched():
        fit = training.fit(50)
        return fit, [progress async for progress in live(fit)]

    fit, reports = asyncio.run(watched())
    assert reports[-1].step == 50 and capsys.readouterr().out == ""
    pd.testing.assert_frame_equal(fit.result.log, run(training.fit(50)).log, check_exact=True)


def test_an_error_is_told_in_a_sentence_and_raised():
    def step(state):
        state.scalars["taken"] += 1
        return {"inverse": 1 / (5 - state.scalars["taken"])}

    panel = RunPanel(Fit(lambda config, rng: State(rng, scalars={"taken": 0}), step, {}, steps=20, seed=0))

    async def watched():
        async for _ in panel.watch():
            pass

    with pytest.raises(ZeroDivisionError):
        asyncio.run(watched())
    assert panel.scene["status"].startswith("Broke off after step ") and not panel.running
    assert panel.scene["status"].endswith("ZeroDivisionError: division by zero")
    assert panel.scene["buttons"] == [{"press": "stop", "label": "Stop", "why": "nothing is running"}]
