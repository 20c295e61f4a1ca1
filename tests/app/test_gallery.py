"""The cards of the gallery: what they say of a notebook, what is stored of them, and that nothing in them can run."""

from __future__ import annotations

import json
from urllib.parse import unquote

from galleries import Tags, write

from cogkit.app import gallery, notebooks

ABOUT = {"instrument": "tiles"}


def test_what_is_stored_is_what_the_notebooks_say_of_themselves_and_comes_before_all_code():
    path = notebooks.source() / "00_start_here.ipynb"
    title, stored = json.loads(path.read_text(encoding="utf-8"))["cells"][:2]
    assert stored["id"] == gallery.CELL and stored["cell_type"] == "markdown" == title["cell_type"]
    text = gallery.markdown()
    assert "".join(stored["source"]) == text, "run: python -m cogkit.app.gallery"
    assert "\n\n" not in text and "<style" not in text and "var(" not in text  # JupyterLab would end or drop it


def test_every_notebook_that_asks_has_a_card_with_its_picture_and_its_link():
    page = Tags(gallery.markdown())
    others = [path.stem for path in notebooks.find() if path.stem != "00_start_here"]
    assert [unquote(link) for link in page.all("a", "href")] == [f"{name}.ipynb" for name in others]
    pictures = page.all("img", "src")
    assert len(pictures) == len(others) and all((notebooks.source() / name).is_file() for name in pictures)


def test_a_link_leads_to_the_notebook_beside(folder):
    for name in ("01_x", "02 with spaces", "03_a#b?c%41", "javascript:alert(1)", "zwölf"):
        path = write(folder, name, **ABOUT)
        page = Tags(gallery.markdown())
        (link,), (picture,) = page.all("a", "href"), page.all("img", "src")
        assert unquote(link) == f"{name}.ipynb" and unquote(picture) == f"pictures/{name}.svg"
        assert not {"#", "?", ":", " "} & set(link + picture)  # nothing but a name
        path.unlink()
