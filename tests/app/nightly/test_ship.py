"""``cogkit ship`` of several cells that are trained as one network."""

from __future__ import annotations

from cogkit.app import cli
from cogkit.core import identity
from cogkit.data import results
from cogkit.tiles.learners import agents as tile_agents


def test_ship_trains_cells_as_one_network(tmp_path, capsys):
    cells = [f"tiles/corelnet/{rule}/abstract" for rule in ("cross", "tree")]
    how = ("--preset", "quick", "--seeds", "1", "4", "--together", "--out", str(tmp_path))
    assert cli.main(["ship", "tiles/corelnet/[ct]r*/abstract", *how]) == 0
    assert capsys.readouterr().out.splitlines() == [str(tmp_path / "results.csv")]
    stored = [*results.Shipped(tmp_path).runs()]
    assert [(one.cell, one.seed) for one, _ in stored] == [(cell, seed) for cell in cells for seed in (1, 4)]
    for manifest, rows in stored:
        assert manifest.device.endswith(", 4 learners as one network")
        assert manifest.config == identity.plain(tile_agents.config("corelnet", "quick", task=manifest.cell[15:]))
        assert {"blue", "z"} <= {row["metric"] for row in rows}
    assert len({rows[0]["value"] for _, rows in stored}) == 4
    assert {path.name for path in tmp_path.rglob("*.*")} == {"results.csv", "manifests.json"}
