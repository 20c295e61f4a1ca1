"""Whatever opens or parses a file from outside goes through `cogkit.data.readers`, which bounds and checks it.

A call that opens or parses anything elsewhere needs a place in `ALLOWED`, under the reason why it may. None is needed
by a call that writes a new file, reads beside ``__file__`` or by `importlib.resources`, reads back what `json.dumps`
has just made, or names its source: `readers` itself, or `published.fetch`, which has checked the SHA-256.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

OPENERS = {
    "open", "safe_open", "load_file", "urlopen", "ParquetFile", "json.load", "json.loads", "msgspec.json.decode",
    "nbformat.read", "nbformat.reads", "csv.reader", "csv.DictReader", "np.load", "np.loadtxt", "np.genfromtxt",
    "np.fromfile", "np.memmap", "parquet.read_table", "sqlite3.connect", "zipfile.ZipFile", "tarfile.open", "gzip.open",
    "lzma.open", "Image.open", "torch.load", "pickle.load", "pickle.loads", "shelve.open", "yaml.safe_load",
    "tomllib.load", "tomllib.loads", "ast.literal_eval",
}  # fmt: skip
METHODS = {"read_text", "read_bytes", "from_pretrained"}  # of any object; so is `open` with a mode, or with nothing
SAFE = ("__file__", "resources.files(", "json.dumps(", "readers.", "published.fetch(")
READERS = "data/readers.py"
ALLOWED = {
    "it comes with the package": (
        "extras/classroom/hand_in.py:_ours", "extras/classroom/notes.py:read", "extras/classroom/pack.py:_weight",
        "extras/classroom/report.py:write", "extras/docs/build.py:readme", "extras/docs/notebook_pages.py:section",
        "app/exercises.py:_stub", "app/gallery.py:_card", "app/gallery.py:store", "app/pages.py:_exporter",
        "app/pages.py:write_index", "app/stills.py:script", "bongard/problems/rendering.py:code_of",
        "bongard/problems/set_statistics.py:released", "data/facts.py:facts", "data/facts.py:texts",
        "extras/online/tiles/play_page.py:page", "ui/files.py:script",
    ),
    "a notebook of ours, or what a run of ours made of it": (
        "extras/classroom/pack.py:_write", "app/notebooks.py:copy_to", "app/notebooks.py:execute",
        "app/pages.py:write_page", "app/pages.py:headline",
    ),
    "a process of ours has just written it, or the system tells it": (
        "app/kernel.py:_own_peak", "app/stills.py:_photograph", "extras/online/library.py:fetched",
        "data/files.py:_clear_file", "data/results.py:_processor",
    ),
    "a value goes through JSON and back": ("app/exercises.py:plain",),
    "its SHA-256 is taken here": (
        "data/published.py:_sha256", "learning/pretrained.py:digest",
    ),
    "it checks as `readers` does what that has no reader for: databases, pictures, packages, models, hand-ins": (
        "study/uploads.py:_table", "study/uploads.py:_unpacked",
        "data/database.py:marks", "data/database.py:connected", "data/png.py:unpack", "learning/pretrained.py:_read",
        "learning/pretrained.py:_tensors", "extras/online/library.py:_checked",
    ),
    "another library reads it, and what that raises is told": (
        "extras/models/lm/gguf.py:folder_of", "extras/models/lm/gguf.py:_convert",
    ),
    "it is an argument of the command line": ("app/cli.py:_typed",),
}  # fmt: skip


def faults(root: Path, files: list[Path]) -> list[str]:
    """Return a sentence for every function of cogkit that opens or parses and may not, or is allowed in vain."""
    house, call_sites = root / "cogkit", {}
    for path in (path for path in files if path.suffix == ".py" and path.is_relative_to(house)):
        name = path.relative_to(house).as_posix()
        if name != READERS:
            for owner, call in calls(ast.parse(path.read_text(encoding="utf-8"))):
                if opens(call):
                    call_sites.setdefault(f"{name}:{owner}", call)
    allowed = {function for functions in ALLOWED.values() for function in functions}
    problems = []
    for function in sorted(call_sites.keys() - allowed):
        call, (name, _, owner) = call_sites[function], function.partition(":")
        what = f"{owner or 'the module'} calls {ast.unparse(call.func)}"
        mend = "read what comes from outside by cogkit.data.readers, or say in .ci/checks/readers.py why it does not"
        problems.append(f"cogkit/{name}:{call.lineno}: {what}: {mend}")
    for function in sorted(allowed - call_sites.keys()):
        problems.append(f".ci/checks/readers.py: {function} opens nothing any more: take it out of the table")
    return problems


def calls(node: ast.AST, owner: str = "") -> Iterator[tuple[str, ast.Call]]:
    """Yield every call, with the name of the outermost function around it, which is empty for the module itself."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call):
            yield owner, child
        is_function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
        yield from calls(child, owner or child.name if is_function else owner)


def opens(call: ast.Call) -> bool:
    """Whether a call opens or parses something that may come from outside."""
    name, code = ast.unparse(call.func), ast.unparse(call)
    if any(sign in code for sign in SAFE):
        return False
    if any(ast.unparse(argument) in OPENERS for argument in call.args):
        return True  # handed on, such as `map(json.loads, lines)`
    if name in OPENERS or name.startswith(("pd.read_", "pandas.read_")):
        return not (name in ("open", "zipfile.ZipFile") and writes(call.args[1:2]))
    if not isinstance(call.func, ast.Attribute):
        return False
    if call.func.attr == "open":  # of a path; what is opened with other things, such as a sitting, is no file
        return not call.args or (isinstance(call.args[0], ast.Constant) and not writes(call.args[:1]))
    return call.func.attr in METHODS


def writes(mode: list[ast.expr]) -> bool:
    """Whether a mode is one of writing a new file."""
    return any(isinstance(word, ast.Constant) and str(word.value)[:1] in ("w", "x", "a") for word in mode)
