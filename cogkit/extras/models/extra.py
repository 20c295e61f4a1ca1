"""What this extra adds: ``cogkit ask``, and the exercises of its notebook."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from cogkit.app.arguments import NUMBER, folder, positive
from cogkit.core.instruments import Command, Exercise, Extra


def ask(options: argparse.Namespace) -> int:
    """Ask a language model tasks; return 0 if at least one question of each was answered, else 1."""
    from cogkit.extras.models import command  # brings pandas

    return command.ask(options)


def _ask(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("task", metavar="TASK", help="such as mewl/shape, or a pattern such as 'mewl/*'")
    parser.add_argument(
        "--model", required=True, metavar="NAME", help="its name at the address, a local folder or a transcript"
    )
    parser.add_argument("--address", metavar="URL", help="an address of OpenAI's kind; its key goes into COGKIT_LM_KEY")
    parser.add_argument("--complete", action="store_true", help="a base model, which continues a text: no chat")
    parser.add_argument("--how", default="text", help="text (default), or prior, mean or sum of log probabilities")
    parser.add_argument("--images", action="store_true", help="show pictures in place of words")
    parser.add_argument(
        "-n", "--n", type=NUMBER["n"], default=0, help="items a task (default 200; tiles 25, bongard 50)"
    )
    parser.add_argument("--seed", type=NUMBER["seed"], default=0, help="seed of the items (default 0, the public one)")
    parser.add_argument("--sitting", action="store_true", help="the items of a person's sitting with this seed")
    parser.add_argument("--profile", default="verified", help="which rules: verified or as_published")
    parser.add_argument("--tokens", type=NUMBER["tokens"], default=1024, help="longest answer (default 1024)")
    parser.add_argument("--temperature", type=positive, default=0.0, help="0 (default) or more")
    parser.add_argument("--at-once", type=NUMBER["jobs"], default=8, metavar="N", help="questions side by side")
    parser.add_argument("--price", type=positive, nargs=2, metavar=("IN", "OUT"), help="of a million tokens")
    parser.add_argument("--max-cost", type=positive, metavar="X", help="stop before all questions cost more")
    parser.add_argument("--dry-run", action="store_true", help="count questions and cost, and send nothing")
    parser.add_argument("--save", metavar="FILE", help="write a transcript that answers again without the model")
    parser.add_argument("--out", type=folder, metavar="DIR", help="folder of the results (default: your own)")


def exercises() -> Mapping[str, Exercise]:
    """Return the exercises of notebook 12."""
    from cogkit.extras.models.exercises import EXERCISES  # brings statistics

    return EXERCISES


EXTRA = Extra(
    "models",
    (
        Command(
            "ask", "ask a language model the items of an instrument; what was answered is never asked again", ask, _ask
        ),
    ),
    exercises=exercises,
)
