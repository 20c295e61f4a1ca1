"""The final state of the widgets of an executed notebook: on a page as it was, and as a small picture in the notebook.

The kernel is gone by then. What a widget draws is its synced state, which the notebook keeps, drawn by the script that
it sends to every browser; so a page can hold it as it was, and no widget needs a second drawing. A picture for readers
that show no widgets, such as GitHub, is taken of the same view where a Chromium is found, and else left out.
"""

from __future__ import annotations

import base64
import hashlib
import html
import io
import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
MOST = 20_000  # bytes of a picture
_HOST = Path(__file__).with_name("templates") / "still.js"
_CODE = ("_esm", "_css")
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_WIDTH, _HEIGHT = 960, 16_000
_RULE = (255, 0, 254)  # the colour of the lines between two widgets when their picture is taken
_SECONDS = 60


def outputs(notebook: Any) -> Iterator[tuple[dict, str]]:
    """Yield the data of each output that shows a widget with a view of its own, and the id of its model."""
    models = _models(notebook)
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            name = data.get(VIEW, {}).get("model_id")
            if "_esm" in models.get(name, {}).get("state", {}):
                yield data, name


def _models(notebook: Any) -> Mapping[str, Any]:
    return notebook.metadata.get("widgets", {}).get(STATE, {}).get("state", {})


def figure(name: str, words: str) -> str:
    """Return the place of a widget on a page: a picture to whoever reads it, and nothing to operate.

    Examples
    --------
    >>> figure("a1", "TileBoard")
    '<div class="ck-still" role="img" aria-label="TileBoard" data-model="a1"></div>'
    """
    label = html.escape(words, quote=True)
    return f'<div class="ck-still" role="img" aria-label="{label}" data-model="{html.escape(name, quote=True)}"></div>'


def words(notebook: Any, name: str) -> str:
    """Return what stands for a widget where it cannot be seen, by the id of its model."""
    state = _models(notebook)[name]["state"]
    kind = state.get("_anywidget_id", "").rpartition(".")[2] or "Widget"
    status = next((part.get("status") for part in (state.get("scene"), state) if isinstance(part, Mapping)), "")
    return f"{kind}, as the run left it" + (f": {status}" if isinstance(status, str) and status else ".")


def script(notebook: Any, names: Iterable[str]) -> str:
    """Return what draws the widgets of a page: their states, the code of each class once, and the host."""
    models, code, states = _models(notebook), {}, {}
    for name in dict.fromkeys(names):
        state = dict(models[name]["state"])
        parts = {part: state.pop(part, "") for part in _CODE}
        key = hashlib.sha256("".join(parts.values()).encode()).hexdigest()[:12]
        code[key] = parts
        buffers = [dict(buffer) for buffer in models[name].get("buffers", ())]
        states[name] = {"code": key, "state": state, "buffers": buffers}
    if not states:
        return ""
    data = json.dumps({"code": code, "models": states}).replace("<", "\\u003c")  # no tag of the page can begin in it
    host = _HOST.read_text(encoding="utf-8")
    return f'<script type="application/json" id="ck-stills">{data}</script>\n<script type="module">\n{host}</script>'


def add_pictures(notebook: Any) -> None:
    """Put words and a PNG of at most 20 kB beside each widget of an executed notebook.

    Without a Chromium, or where it fails, the words stand alone.
    """
    pairs = list(outputs(notebook))
    names = list(dict.fromkeys(name for _, name in pairs))
    taken = dict(zip(names, _photograph(notebook, names), strict=False))
    for data, name in pairs:
        data["text/plain"] = words(notebook, name)
        if name in taken:
            data["image/png"] = base64.b64encode(taken[name]).decode()


def _photograph(notebook: Any, names: list[str]) -> list[bytes]:
    """Return a picture of each widget, taken by Chromium of a page that holds nothing else."""
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if not names or browser is None:
        return []
    rule = f'<hr style="border:0;margin:0;height:4px;background:rgb{_RULE}">'
    body = rule + rule.join(f'<div style="padding:8px">{figure(name, "")}</div>' for name in names) + rule
    page = (
        f'<!doctype html><meta charset="utf-8"><body style="margin:0;background:#fff">{body}{script(notebook, names)}'
    )
    with tempfile.TemporaryDirectory() as folder:
        path, shot = Path(folder) / "page.html", Path(folder) / "shot.png"
        path.write_text(page, encoding="utf-8")
        command = [
            browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
            "--force-prefers-reduced-motion", "--disable-background-networking", f"--user-data-dir={folder}/profile",
            f"--window-size={_WIDTH},{_HEIGHT}", "--virtual-time-budget=4000", f"--screenshot={shot}", path.as_uri(),
        ]  # fmt: skip
        try:
            subprocess.run(command, capture_output=True, timeout=_SECONDS, check=True)
            pixels = np.asarray(Image.open(shot).convert("RGB"))
        except (OSError, subprocess.SubprocessError):
            return []
    return [_small(part) for part in _between(pixels)]


def _between(pixels: np.ndarray) -> Iterator[np.ndarray]:
    """Yield what stands between two rules, without the white around it."""
    ruled = (pixels[:, 0] == _RULE).all(axis=1)
    starts = np.flatnonzero(ruled[:-1] & ~ruled[1:]) + 1
    for start in starts[: max(len(starts) - 1, 0)]:  # below the last rule there is nothing
        part = pixels[start : start + int(ruled[start:].argmax())]
        rows, columns = (np.flatnonzero((part < 250).any(axis=(axis, 2))) for axis in (1, 0))
        if len(rows):
            yield part[max(rows[0] - 8, 0) : rows[-1] + 9, max(columns[0] - 8, 0) : columns[-1] + 9]
        else:
            yield part[:1, :1]


def _small(pixels: np.ndarray) -> bytes:
    """Return a PNG of at most `MOST` bytes: fewer colours first, then fewer pixels."""
    whole = Image.fromarray(pixels)
    for share, colours in ((1, 64), (1, 16), (0.75, 16), (0.5, 16), (0.35, 8), (0.2, 8)):
        size = max(1, round(whole.width * share)), max(1, round(whole.height * share))
        file = io.BytesIO()
        whole.resize(size, Image.Resampling.LANCZOS).quantize(colours).save(file, "PNG", optimize=True)
        if file.tell() <= MOST:
            break
    return file.getvalue()
