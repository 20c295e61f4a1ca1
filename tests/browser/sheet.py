"""Lays the pictures that ``test_person.py`` keeps of whole notebooks out on contact sheets, one for each view.

Run it as ``.venv/bin/python tests/browser/sheet.py FOLDER``: the folder that COGKIT_SCREENSHOTS named.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

from PIL import Image, ImageDraw

COLUMN, HEIGHT, GAP = 480, 2700, 16  # pixels of the sheet


def strips(picture: Image.Image) -> list[Image.Image]:
    """Return a picture as columns of the sheet: as wide as one, and none higher than the sheet.

    Examples
    --------
    >>> [strip.size for strip in strips(Image.new("RGB", (960, 8000)))]
    [(480, 2700), (480, 1300)]
    """
    small = picture.convert("RGB").resize((COLUMN, max(1, round(picture.height * COLUMN / picture.width))))
    edges = range(0, small.height, HEIGHT)
    return [small.crop((0, top, COLUMN, min(top + HEIGHT, small.height))) for top in edges]


def lay_out(paths: list[Path]) -> Image.Image:
    """Return one sheet of these pictures, each under its name, from left to right."""
    columns = []
    for path in paths:
        with Image.open(path) as picture:
            columns += [(path.stem.removeprefix("person_"), strip) for strip in strips(picture)]
    sheet = Image.new("RGB", (len(columns) * (COLUMN + GAP) + GAP, HEIGHT + 4 * GAP), "white")
    pen = ImageDraw.Draw(sheet)
    for number, (name, strip) in enumerate(columns):
        left = GAP + number * (COLUMN + GAP)
        pen.text((left, GAP), name, fill="black")
        sheet.paste(strip, (left, 3 * GAP))
    return sheet


def main(folder: Path) -> list[Path]:
    """Write one sheet for each step and view, such as ``sheet_run_1280_light.png``; return their paths."""
    views = defaultdict(list)
    for path in sorted(folder.glob("person_*.png")):
        views["_".join(path.stem.split("_")[-3:])].append(path)
    sheets = []
    for view, paths in views.items():
        sheets.append(folder / f"sheet_{view}.png")
        lay_out(paths).save(sheets[-1])
    return sheets


if __name__ == "__main__":
    print(*main(Path(sys.argv[1])), sep="\n")
