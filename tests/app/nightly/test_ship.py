"""``cogkit ship`` of several cells that are trained as one network."""

from __future__ import annotations

from cogkit.app import cli
from cogkit.core import identity
from cogkit.data import results
from cogkit.tiles.learners import agents as tile_agents


def test_ship_trains_cells_as_one_network(tmp_path, capsys):
    cells = [f"tiles/corelnet/{rule}/abstract" for rule in ("cross", "tree")]
    how = ["ship", "tiles/corelnet/[ct]r*/abstract", "--preset", "quick", "--seeds", "1", "4", "--together"]
    how += ["--checkpoint", str(tmp_path / "stack")]
    out, again = tmp_path / "shipped", tmp_path / "again"
    assert cli.main([*how, "--out", str(out)]) == 0
    assert capsys.readouterr().out.splitlines() == [str(out / "results.csv")]
    stored = [*results.Shipped(out).runs()]
    assert cli.main([*how, "--out", str(again)]) == 0  # from where it ended
    (spent, rows), (more, same) = stored[0], next(results.Shipped(again).runs())
    assert rows == same and more.seconds > spent.seconds / 2
    assert [(one.cell, one.seed) for one, _ in stored] == [(cell, seed) for cell in cells for seed in (1, 4)]
    for manifest, rows in stored:
        assert manifest.device.endswith(", 4 learners as one network")
        assert manifest.config == identity.plain(tile_agents.config("corelnet", "quick", task=manifest.cell[15:]))
        assert {"blue", "z"} <= {row["metric"] for row in rows}
    assert len({rows[0]["value"] for _, rows in stored}) == 4
    assert {path.name for path in out.rglob("*.*")} == {"results.csv", "manifests.json"}
