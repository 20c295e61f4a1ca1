"""A ninth rule by the README's recipe, in a copy of the package: one function and one name, and all else follows."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import cogkit

STRIPES = """
from fractions import Fraction
from itertools import combinations

from cogkit.tiles.rules.boards import SIZE
from cogkit.tiles.rules.enumeration import Draws, enumerated, word


@enumerated
def stripes() -> Draws:
    for lines in (lines for n in (1, 2, 3) for lines in combinations(range(SIZE), n)):
        yield word((row, column) for row in lines for column in range(SIZE)), Fraction(1)
        yield word((row, column) for column in lines for row in range(SIZE)), Fraction(1)
"""
USE = """
import json
import gymnasium
import numpy as np
from cogkit import tiles
from cogkit.app import experiments
from cogkit.core.errors import InputError
from cogkit.learning import run
from cogkit.tiles.learners import training
from cogkit.tiles.problems import records

def outcome(call):
    try:
        return call()
    except InputError as error:
        return str(error)

def lines(boards):
    return [bool(((b == b[:1]).all() or (b == b[:, :1]).all()) and 7 <= b.sum() <= 21) for b in boards]

output = {
    "support": len(records.support("stripes")),
    "items": lines(tiles.items("stripes/abstract").boards),
    "metamers": outcome(lambda: len(tiles.items("stripes/metamer"))),
    "train on metamers": outcome(lambda: tiles.train("lstm", "stripes/metamer", steps=1, batch=4).steps),
    "published": outcome(lambda: records.items("stripes/abstract", "published")),
    "conditional": len(run(tiles.train("conditional", "stripes/metamer", steps=2)).log),
}
agent = training.to_agent(run(tiles.train("convolutional", "stripes/abstract", steps=2, batch=4)))
for player in (agent, tiles.learner("bayes-greedy", "stripes/abstract")):
    rows = tiles.summarise(tiles.judge(player, tiles.items("stripes/abstract", 5))).query("metric == 'blue'")
    output[rows.who.item()] = [rows.task.item(), rows.n.item()]
env = gymnasium.make("cogkit.tiles:cogkit/Tiles-v0", rule="stripes")
observation, _ = env.reset(seed=0)
output["environment"] = [observation.shape, int((observation == 1).sum())]
output["cells"] = [cell.id for cell in experiments.cells("tiles/*/stripes/*", "tiles/conditional/stripes")]
print(json.dumps(output))
"""


def test_a_ninth_rule_is_one_function_and_one_name(tmp_path):
    package = Path(cogkit.__file__).parent
    others = shutil.ignore_patterns("__pycache__", "mewl", "bongard")
    rules = shutil.copytree(package, tmp_path / "cogkit", ignore=others) / "tiles" / "rules"
    (rules / "stripes.py").write_text(STRIPES)
    text = (rules / "__init__.py").read_text()
    assert text.count("cross, zigzag)}") == 1
    named = text.replace("cross, zigzag)}", "cross, zigzag, stripes)}")
    (rules / "__init__.py").write_text(f"from cogkit.tiles.rules.stripes import stripes\n{named}")
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "COGKIT_HOME": str(tmp_path / "home")}

    def use(*command: str) -> list[str]:
        done = subprocess.run([sys.executable, *command], capture_output=True, text=True, cwd=tmp_path, env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    output = json.loads(use("-c", USE)[-1])
    assert output["support"] == 2 * (7 + 21 + 35)
    assert output["items"] == [True] * 25
    for name in ("metamers", "train on metamers"):
        assert "none for stripes" in output[name] and "cogkit ship tiles/conditional/stripes" in output[name]
    assert output["published"].startswith("wanted a rule with published boards") and output["conditional"] == 2
    assert output["convolutional"] == output["Bayes-greedy"] == ["stripes/abstract", 5]
    assert output["environment"] == [[7, 7], 1]
    cells = {"tiles/lstm/stripes/metamer", "tiles/random/stripes/abstract", "tiles/conditional/stripes"}
    assert cells <= {*output["cells"]}

    use("-m", "cogkit.app.cli", "ship", "tiles/conditional/stripes", "--preset", "quick")
    again = json.loads(use("-c", USE)[-1])
    assert again["metamers"] == 25 and again["train on metamers"] == 1
    result = tmp_path / "results"
    use("-m", "cogkit.app.cli", "sweep", "tiles/nearest-neighbour/stripes/*", "--preset", "quick", "--out", str(result))
    assert len([*result.rglob("*.json")]) == 2
