"""The curves: what learners are trained on and asked at each level, and what the score makes of it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as tests

from cogkit.generalization.learners import players
from cogkit.generalization.metric import gr_star as metric
from cogkit.generalization.paper import stress
from cogkit.generalization.paper.paper_analyses import MACHINES, PEOPLE
from cogkit.generalization.paper.stress import LEVELS, curves
from cogkit.generalization.problems import records
from cogkit.generalization.suites import StressConfig

pytestmark = pytest.mark.usefixtures("lightly")


@pytest.fixture(scope="module")
def watched(lightly):
    """Run some curves; return them, the rows each learner was trained on, and the problems it was asked about."""

    def watch(kind: str, tasks: int, seed: int = 0):
        calls, about = [], []
        with pytest.MonkeyPatch.context() as patch:
            fitted, judge = players.fitted, stress.judge
            patch.setattr(players, "fitted", lambda *args: calls.append(args) or fitted(*args))
            patch.setattr(stress, "judge", lambda *args, **own: about.append(args[1]) or judge(*args, **own))
            return curves(StressConfig(kind, tasks), seed), calls, about

    return watch


@pytest.fixture(scope="module")
def spurious(watched):
    return watched("spurious", 3)


@pytest.fixture(scope="module")
def shift(watched):
    return watched("shift", 2)


@pytest.fixture(scope="module")
def continual(watched):
    return watched("continual", 3)


def linear(k: int) -> records.Problem:
    return records.problem(f"Linear {k}", 0)


def relative(table, place: str, side: str, value: str = "gr_star") -> np.ndarray:
    """A curve over its own start, mean of the tasks."""
    part = table[(table.place == place) & (table.side == side)]
    wide = part.pivot(index="task", columns="level", values=value)
    return (wide.mean() / wide.mean()[0.0]).to_numpy()


@pytest.mark.parametrize("kind", ["spurious", "shift", "continual"])
def test_curves_have_a_row_a_task_level_and_side_and_score_as_the_paper_does(kind, request):
    table = request.getfixturevalue(kind)[0]
    assert set(table.curve) == {kind} and not table.duplicated(["task", "level", "place", "side"]).any()
    parts = (table[name] for name in ("accuracy", "alignment", "abstraction", "n", "s"))
    assert table.gr_star.to_numpy() == pytest.approx(metric.gr_star(*parts))
    assert set(table.side) == {PEOPLE, MACHINES} and (table.n == 1000).all()
    assert len(table) == {"spurious": 3 * 6 * 2 * 2, "shift": 2 * 6 * 2, "continual": 3 * 2}[kind]
    assert (table.s == (21 if kind == "spurious" else 20)).all()


# A spurious column.


def test_the_spurious_column_goes_with_the_class_in_training_alone(spurious):
    _, calls, about = spurious
    ways = []
    for k, level in enumerate(LEVELS):
        x, y = calls[6 * k][1:3]
        assert (x[:, :20] == linear(0).x).all() and (y == linear(0).y).all() and x.shape[1] == 21
        assert (x[:, 20].mean(), x[:, 20].std()) == pytest.approx((0, 1))
        expected, error = level / np.sqrt(level**2 + 1), 4 / np.sqrt(700)  # classes are as good as balanced
        assert np.corrcoef(x[:, 20], y)[0, 1] == pytest.approx(expected, abs=error)
        problem = about[6 * k]
        assert (problem.x_test[:, :20] == linear(0).x_test).all() and (problem.y_test == linear(0).y_test).all()
        assert np.corrcoef(problem.x_test[:, 20], problem.y_test)[0, 1] == pytest.approx(0, abs=4 / np.sqrt(300))
        # Its values have the same spread as in training: two humps, whosever they are.
        assert problem.x_test[:, 20].std() == pytest.approx(1, abs=4 / np.sqrt(2 * 300))
        ways.append((x[:, 20], problem.x_test[:, 20]))
    assert np.corrcoef(ways[0][1], ways[5][1])[0, 1] > 0.4  # one noise at all levels


def test_both_places_score_the_same_answers(spurious):
    table, calls, _ = spurious
    first, last = (table[table.place == place].reset_index(drop=True) for place in ("first", "last"))
    assert len(first) + len(last) == len(table) and len(calls) == 3 * 6 * 6  # trained once a level
    same = ["accuracy", "task", "level", "side"]
    assert first[same].equals(last[same]) and np.allclose(first.abstraction, last.abstraction)


def test_defect_early_brittleness_turns_round_with_the_place_of_the_column(spurious):
    """Facts § 4.6: last, GR* drops first; first, it rises at first, on the same answers."""
    table = spurious[0]
    for side in (PEOPLE, MACHINES):
        first, last = (relative(table, place, side) for place in ("first", "last"))
        accuracy = relative(table, "last", side, "accuracy")
        assert accuracy[2] > 0.97  # at a level of .4
        assert last[2] < 0.95 and (last[2:] < accuracy[2:]).all() and last[-1] < 0.6  # "drops first"
        assert first[2] > 0.98 and (first[2:] > last[2:] + 0.1).all()
        steps = table[table.side == side].pivot(index=["place", "task"], columns="level", values="alignment")
        steps = steps.groupby("place").mean().diff(axis=1).loc[:, 0.4:]
        assert (steps.loc["first"] > 0).all() and (steps.loc["last"] < 0).all()
    assert relative(table, "first", PEOPLE)[2] > 1.03  # it rises


# A growing shift.


def test_the_test_rows_alone_are_moved_by_the_level(shift):
    _, calls, about = shift
    assert len(calls) == 2 * 6 and len(about) == 2 * 6 * 6  # trained once a task, asked at every level
    for task in range(2):
        assert (calls[6 * task][1] == linear(task).x).all()
        ways = []
        for k, level in enumerate(LEVELS):
            steps = about[36 * task + 6 * k].x_test - linear(task).x_test
            assert np.abs(steps) == pytest.approx(level) and (np.ptp(steps, axis=0) < 1e-12).all()
            ways.append(np.sign(steps[0]))
        assert all((way == ways[1]).all() for way in ways[1:]) and 0 < (ways[1] > 0).sum() < 20


def test_defect_under_shift_the_score_is_accuracy_bent(shift):
    """Facts § 4.6: D_align and cost stand still, so GR* is f(Acc) times a constant."""
    for _, part in shift[0].groupby(["task", "side"]):
        assert part.alignment.nunique() == part.abstraction.nunique() == 1
        ratio = part.gr_star / metric.performance(part.accuracy)
        assert ratio.to_numpy() == pytest.approx(np.full(6, ratio.iloc[0]))
        assert tests.spearmanr(part.gr_star, part.accuracy).statistic == pytest.approx(1)
        assert part.accuracy.iloc[-1] < part.accuracy.iloc[0] - 0.05


# A stream of tasks.


def test_each_task_of_a_stream_is_learnt_with_some_rows_of_those_before(continual):
    _, calls, _ = continual
    kinds = [{row.tobytes(): kind for row, kind in zip(linear(k).x, linear(k).y, strict=True)} for k in range(3)]
    again = {}
    for now in range(3):
        for x, y in {id(call[1]): call[1:3] for call in calls[6 * now : 6 * now + 6]}.values():
            assert len(x) == len(y) == 700 + 70 * now
            for old in range(now + 1):
                rows = [row.tobytes() for row in x if row.tobytes() in kinds[old]]
                assert len(rows) == len(set(rows)) == (700 if old == now else 70)
                if old < now:
                    assert again.setdefault(old, set(rows)) == set(rows)  # the same rows each time
            assert all(kinds[k][row.tobytes()] == kind for row, kind in zip(x, y, strict=True) for k in range(3)
                       if row.tobytes() in kinds[k])  # fmt: skip


def test_the_past_is_the_mean_accuracy_on_all_earlier_tasks(continual):
    table, calls, _ = continual
    assert table[table.level == 0].past.isna().all() and table[table.level > 0].past.notna().all()
    assert table.level.tolist() == [0, 0, 1, 1, 2, 2]
    assert table.task.tolist()[::2] == ["Linear 0", "Linear 1", "Linear 2"]
    for side, names in ((PEOPLE, list(players.LEARNERS)[:3]), (MACHINES, list(players.LEARNERS)[3:])):
        right = {0: [], 1: [], 2: []}
        for name, x, y, seed in calls[12:]:
            if name in names:
                learner = players.fitted(name, x, y, seed)
                for k in range(3):
                    right[k].append((learner.predict(linear(k).x_test) == linear(k).y_test).mean())
        row = table[(table.level == 2) & (table.side == side)].iloc[0]
        expected = np.mean([right[0], right[1]]), np.mean(right[2])
        assert (row.past, row.accuracy) == pytest.approx(expected)
        assert row.past < row.accuracy  # 70 rows of a task are less than 700
