"""Whatever opens or parses a file from outside has a campaign: a new loader without one fails here."""

from __future__ import annotations

import ast
from pathlib import Path

from campaigns import CAMPAIGNS

import cogkit

ROOT = Path(cogkit.__file__).parent
# What opens or parses: names of functions and methods, whatever they are called on.
OPENERS = {
    "open", "load", "loads", "loadtxt", "genfromtxt", "fromfile", "memmap", "load_file", "read_csv", "read_parquet",
    "read_table", "read_json", "read_pickle", "read_feather", "ParquetFile", "connect", "ZipFile", "reader",
    "DictReader", "fdopen", "decode", "safe_load", "fromstring", "literal_eval", "inspect_notebook", "read",
}  # fmt: skip
MODULES = {
    "json", "np", "numpy", "pd", "pandas", "sqlite3", "csv", "zipfile", "tarfile", "yaml", "tomllib", "Image", "os",
    "io", "ast", "msgspec", "pickle", "torch", "parquet", "shelve", "gzip", "nbformat", "papermill",
}  # fmt: skip
FOREIGN = "cogkit.data.foreign"
# What is opened without a campaign, and why.
OWN = {
    "it comes with the package": {
        "cogkit.app.classroom.hand_in:_ours", "cogkit.app.classroom.notes:read", "cogkit.app.classroom.pack:_weight",
        "cogkit.app.classroom.report:write",
        "cogkit.app.docs.papers:_of_module", "cogkit.app.docs.readme:readme", "cogkit.app.docs.saved:section",
        "cogkit.app.exercises:_stub", "cogkit.app.gallery:_card", "cogkit.app.gallery:store",
        "cogkit.app.pages:_exporter", "cogkit.app.pages:write_index",
        "cogkit.app.stills:script", "cogkit.bongard.problems.rendering:code_of",
        "cogkit.bongard.problems.freeform:", "cogkit.bongard.problems.set_statistics:released",
        "cogkit.bongard.shapes.attributes:", "cogkit.data.facts:facts",
        "cogkit.data.facts:texts", "cogkit.data.published:_registry",
        "cogkit.app.studies.command:make", "cogkit.app.studies.page:_style", "cogkit.app.studies.page:_write_page",
        "cogkit.mewl.problems.hypotheses:_phrases", "cogkit.mewl.world.solids:", "cogkit.mewl.world.words:english",
        "cogkit.tiles.views.page:page",
        "cogkit.ui.files:script",
    },
    "its SHA-256 was checked, or is checked here": {
        "cogkit.data.published:_download", "cogkit.data.published:_sha256", "cogkit.tiles.paper.published:_read",
        "cogkit.tiles.problems.records:_read_published",
    },
    "the system itself tells it": {"cogkit.data.results:_processor"},
    "a process of ours just wrote it": {
        "cogkit.app.studies.library:fetched", "cogkit.app.studies.page:_jzip",
        "cogkit.app.kernel:_own_peak", "cogkit.app.stills:_photograph", "cogkit.mewl.rendering.blender:_last_words",
        "cogkit.mewl.rendering.blender:_names", "cogkit.mewl.rendering.blender:read",
        "cogkit.mewl.rendering.blender_script:main",
    },
    "it writes": {
        "cogkit.app.exercises:_keep",
        "cogkit.data.files:_clear_file", "cogkit.data.files:_part", "cogkit.data.files:opened",
        "cogkit.data.folders:make", "cogkit.data.pictures:write",
    },
    "a notebook of the project, or what a run of ours made of it": {
        "cogkit.app.classroom.pack:_write", "cogkit.app.notebooks:execute", "cogkit.app.pages:headline",
        "cogkit.app.pages:write_page",
    },
    "a value goes through JSON and back": {
        "cogkit.app.asking.inspecting:beside", "cogkit.app.exercises:plain", "cogkit.core.identity:plain",
        "cogkit.study.sitting:_repeat",
    },
    "another library reads it, and what that raises is told: `test_inspecting` and `test_gguf` have spoilt files": {
        "cogkit.app.asking.inspecting:_damaged", "cogkit.app.asking.inspecting:asked", "cogkit.lm.gguf:_convert",
        "cogkit.lm.gguf:folder_of",
    },
    "`Trials` has read it": {"cogkit.tiles.components:_games"},
    "it is handed to optuna, and what is no journal is refused: `test_search` has that": {
        "cogkit.tiles.learners.search:_repair",
    },
    "it is an argument of the command line, and those have tests of their own": {"cogkit.app.cli:_typed"},
}  # fmt: skip


def functions(path: Path):
    """Yield each function of a module, by name, with the calls that stand in it; "" has those of the module itself."""
    tree = ast.parse(path.read_text("utf-8"))

    def calls(node, owner: str):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from calls(child, owner or child.name)
            else:
                if isinstance(child, ast.Call):
                    yield owner, child
                elif isinstance(child, ast.Attribute):
                    yield owner, child  # handed on, such as `self._once(path, foreign.json)`
                yield from calls(child, owner)

    yield from calls(tree, "")


def opens(call: ast.AST) -> bool:
    """Whether this opens or parses something."""
    match call.func if isinstance(call, ast.Call) else call:
        case ast.Name(id="open" | "safe_open" | "ParquetFile" | "urlopen"):
            return True
        case ast.Attribute(attr="read_text" | "read_bytes" | "from_pretrained" | "urlopen"):
            return True
        case ast.Attribute(attr="open", value=owner):
            return not isinstance(owner, ast.Name) or owner.id not in {"Sitting", "kind"}  # which open no file
        case ast.Attribute(value=ast.Name(id="foreign")):
            return True
        case ast.Attribute(attr=attr, value=ast.Name(id=module)):
            return module in MODULES and attr in OPENERS
    return False


def openers() -> dict[str, list[int]]:
    """Return the lines on which each function of cogkit opens or parses, by ``module:function``."""
    found: dict[str, list[int]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        module = "cogkit." + path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
        if module != FOREIGN:
            for owner, call in functions(path):
                if opens(call):
                    found.setdefault(f"{module.removesuffix('.__init__')}:{owner}", []).append(call.lineno)
    return found


def test_whatever_opens_a_file_has_a_campaign_or_a_reason():
    covered = {name for campaign in CAMPAIGNS.values() for name in campaign.covers}
    found, known = openers(), covered | set().union(*OWN.values())
    assert not found.keys() - known, {name: found[name] for name in sorted(found.keys() - known)}
    assert not known - found.keys(), "these open nothing any more"
