"""What this extra adds: ``cogkit docs``."""

from __future__ import annotations

import argparse

from cogkit.app.arguments import folder
from cogkit.core.instruments import Command, Extra


def docs(options: argparse.Namespace) -> int:
    """Write the documentation as static pages and return 0."""
    from cogkit.extras.docs.build import build  # brings pandas

    print(f"open {build(options.out, options.executed) / 'index.html'}")
    return 0


def _docs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", required=True, type=folder, metavar="DIR", help="a new folder")
    parser.add_argument("--executed", type=folder, metavar="DIR", help="executed notebooks, as cogkit run writes")


EXTRA = Extra(
    "docs", (Command("docs", "write the documentation as static pages: notebooks, API, papers, glossary", docs, _docs),)
)
