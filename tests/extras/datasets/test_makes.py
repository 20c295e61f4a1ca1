"""What holds of `cogkit make` for every dataset: a rerun writes what is not whole, and another set is left alone."""

from __future__ import annotations

import shutil

import pytest
from carded import contents, times
from cases import case

from cogkit.app import cli
from cogkit.core.errors import InputError
from cogkit.extras.datasets.dataset import datasets
from cogkit.extras.datasets.folders import UNFINISHED

OPTIONS = {"tiles": {"n": 3, "seed": 3}, "mts": {"n": 1, "seed": 3}, "mewl": {"n": 9, "jobs": 1}}
OPTIONS |= {"bongard": {"n": 4, "only": "ff", "size": 16, "jobs": 1}}
ITEM = {"bongard": 3, "mewl": 4}  # parts of the path of an item's folder; elsewhere each file stands for itself
DAMAGE = {  # a file that is cut, one that is removed, and a folder or file that is removed whole
    "tiles": ("cross_sample.npy", "tree_sample_starts.npy", "README.md"),
    "mts": ("tests.parquet", "training_LS_select-only_standard.csv", "pair_types.csv"),
    "bongard": ("*/images/*/1/3.png", "*/images/*/0/6.png", "*/ff_action_programs.json"),
    "mewl": ("*/train/shape/0/info.json", "*/train/object/0/question.json", "*/train/number/0"),
}
CHANGES = {
    "tiles": ({"n": 4}, {"seed": 4}),
    "mts": ({"n": None}, {"n": 2}, {"seed": 4}),
    "bongard": ({"n": 5}, {"seed": 1}, {"profile": "as_published"}, {"size": 17}),
    "mewl": ({"n": 8}, {"seed": 1}, {"profile": "as_published"}, {"only": "shape"}, {"images": "browse"}),
}
BAD = (
    ("tiles", {"n": 0}, "1 to 98 boards in each file"),
    ("tiles", {"n": 99}, "1 to 98 boards in each file"),
    ("mts", {"n": 0}, "1 or more trials of each pair and class, got n=0"),
    ("bongard", {"n": 12_001}, "1 to 12,000"),
    ("bongard", {"only": "hd"}, "a kind that is a set of its own"),
    ("bongard", {"size": 9}, "pixels a side"),
    ("mewl", {"n": 0}, "1 to 1,000,000"),
    ("mewl", {"only": "colour"}, "did you mean 'color'"),
    ("mewl", {"profile": "verifed"}, "'verified'"),
    ("mewl", {"images": "fine"}, "a quality of pictures"),
)


@pytest.fixture(scope="module", params=OPTIONS)
def made(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    datasets()[request.param].make(folder, **OPTIONS[request.param])
    return request.param, folder


@pytest.fixture
def dataset(made, tmp_path):
    return made[0], shutil.copytree(made[1], tmp_path / "dataset")


def item_of(name: str, path: str) -> str:
    return "/".join(path.split("/")[: ITEM[name]]) if len(path.split("/")) > ITEM.get(name, 9) else path


def test_a_rerun_writes_only_what_is_not_whole(dataset):
    name, folder = dataset
    before, at = contents(folder), times(folder)
    (broken, *_), (*_, missing), (gone, *_) = (sorted(folder.glob(pattern)) for pattern in DAMAGE[name])
    broken.write_bytes(broken.read_bytes()[:-5])
    missing.unlink()
    shutil.rmtree(gone) if gone.is_dir() else gone.unlink()
    damaged = {item_of(name, path.relative_to(folder).as_posix()) for path in (broken, missing, gone / "x")}
    damaged |= {gone.relative_to(folder).as_posix()}
    faulty = [finding.path.removeprefix(f"{folder}/") for finding in datasets()[name].audit(folder)]
    assert {item_of(name, path) for path in faulty} <= damaged and len(faulty) >= 3
    datasets()[name].make(folder, **OPTIONS[name])
    assert contents(folder) == before
    rewritten = {path for path, when in times(folder).items() if when != at[path]}
    (manifest,) = (path for path in before if path.endswith("manifest.json"))
    assert rewritten == {manifest} | {path for path in before if item_of(name, path) in damaged}


def test_a_made_set_is_sound_and_an_unfinished_one_is_told_so(dataset, capsys):
    name, folder = dataset
    assert cli.main(["audit", str(folder)]) == 0 and capsys.readouterr().out.endswith("every check passed\n")
    if name in ITEM:
        (manifest,) = folder.rglob("manifest.json")
        (manifest.parent / UNFINISHED).mkdir()
        for _ in range(2):
            (finding,) = datasets()[name].audit(folder)
            assert finding.field == "manifest" and "is not finished" in finding.problem
            manifest.unlink(missing_ok=True)


def test_another_set_or_a_folder_of_other_files_is_not_overwritten(dataset):
    name, folder = dataset
    make, (manifest,) = datasets()[name].make, folder.rglob("manifest.json")
    for spoil in (lambda: None, lambda: manifest.write_text("[]"), manifest.unlink):
        spoil()
        before = contents(folder)
        for change in CHANGES[name] if manifest.is_file() else CHANGES[name][-1:]:
            with case((name, change)), pytest.raises(InputError, match="an empty folder"):
                make(folder, **OPTIONS[name] | change)
            assert contents(folder) == before


def test_a_bad_option_or_a_file_in_place_of_the_folder_is_a_sentence_and_writes_nothing(tmp_path):
    (tmp_path / "file").write_text("")
    rows = [(name, options, "can be written", "file") for name, options in OPTIONS.items()]
    for name, options, wanted, out in [*((*row, "x") for row in BAD), *rows]:
        with case((name, options)), pytest.raises(InputError, match=wanted):
            datasets()[name].make(tmp_path / out, **options)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
