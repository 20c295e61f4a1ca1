"""Strings that would be markup wherever a page forgets to escape them, and the elements that a page has."""

from __future__ import annotations

from bs4 import BeautifulSoup

HOSTILE = (
    '<img src=x onerror="window.ran=1">"><script>window.ran=1</script>\'><a href=javascript:window.ran=1 id=foreign>'
    "</style></title></textarea><iframe src=javascript:window.ran=1></iframe>--><svg onload=window.ran=1>&lt;b&gt;"
)
PLAIN = "x" * len(HOSTILE)  # as long, because what is long may look different
FOREIGN = (
    "#foreign, script, iframe, object, embed, form, meta, link, base, [src='x'], [onerror], [onload], "
    "[href^='javascript:' i]"  # in the address of a picture it does nothing
)
# A picture that does not load, put into the page last: by the time it says so, so have those before it.
SETTLED = """() => new Promise((done) => {
    const last = Object.assign(document.createElement("img"), {onerror: () => done(window.ran ?? 0)});
    last.src = "data:image/png,none";
    document.body.append(last);
})"""
_TEXTS = {"alt", "aria-label", "title", "content"}  # attributes that hold texts


def structure(page: str) -> list[tuple]:
    """Return every element of a page with its attributes, in order, as a parser reads them; texts are left out."""
    soup = BeautifulSoup(page, "html.parser")
    return [
        (tag.name, *((name, None if name in _TEXTS else str(value)) for name, value in tag.attrs.items()))
        for tag in soup.find_all(True)
    ]


def texts(page: str) -> str:
    """Return the whole text of a page, and of the attributes that hold texts."""
    soup = BeautifulSoup(page, "html.parser")
    held = [str(tag.attrs[name]) for tag in soup.find_all(True) for name in _TEXTS & tag.attrs.keys()]
    return " ".join([soup.get_text(), *held])
