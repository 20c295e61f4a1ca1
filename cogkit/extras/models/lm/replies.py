"""What a model said, and which option it named, if it named one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from cogkit.extras.models.lm.prompts import Prompt
from cogkit.study.answers import OUTCOMES

_BEGIN, _END = r"(?<![^\W_])", r"(?![^\W_])"  # of a word, also within __emphasis__
_MARKED = re.compile(rf"{_BEGIN}answer[\s*_`]*[:=](.*)", re.IGNORECASE)
_CAPITAL = re.compile(rf"{_BEGIN}(?<!\w['’])([A-Z]){_END}(?!['’]\w)")
_WORD = re.compile(  # no letter of an option: "A closer look", "I think"; but it is one in "A fits" and "A would fit"
    r"[AI] (?!(?:and|but|or|as|if|for|since|because|which|would|could|can|must|may|might|should|also|only|best)\b"
    r"|(?!series\b)[a-z]*[^su]s\b)[a-z]"
)
_NOT = (
    r"not|never|neither|nor|except|cannot|\w+n['’]t|instead of|rather than|unlike"
    r"|rul(?:e[sd]?|ing) out|exclud(?:e[sd]?|ing)|eliminat(?:e[sd]?|ing)"
)
_NEGATION = re.compile(rf"\b(?:{_NOT})\b", re.IGNORECASE)
_DENIAL = re.compile(rf"\b(?:{_NOT}|wrong|incorrect|impossible)\b", re.IGNORECASE)
_REFUSAL = re.compile(
    r"\b(?:sorry|unable to|as an ai|i (?:can(?:no|['’])t|can not|won['’]t|will not|must decline|decline|refuse)"
    r"|(?:not able|not possible) to (?:answer|help|say|choose|determine))\b",
    re.IGNORECASE,
)
_HEDGE = re.compile(  # it neither refuses nor denies what follows; "I am not sure it is B" is another thing
    r"\bi(?: am|['’]m)? (?:can(?:no|['’])t|can not|not) (?:be |entirely |completely |fully |quite )*(?:sure|certain)"
    r"(?=\s*[,;.:]|\s+but\b)",
    re.IGNORECASE,
)
_DRESS = " \t\r\n*_`\"'“”‘’.,;:!?()[]{}<>«»$\\"
_REFUSED = ("refusal", "content_filter")  # ends of an answer, as servers name them
_CUT = ("length", "max_tokens")


@dataclass(frozen=True)
class Completion:
    """What came back for one prompt, as it came.

    Attributes
    ----------
    text : str
        The model's words.
    end : str
        Why it ended, as the server says: ``stop``, ``length``, ``content_filter``, …
    logs, sizes : tuple
        For each ending the logarithm of its probability, in nats, and its number of tokens.
    priors : tuple
        For each ending the logarithm of its probability without the question; empty if nobody asked for it.
    tokens_in, tokens_out : int
        Tokens of the prompt and of the answer; 0 if nobody counted.
    cost : float
        Price of the two, in the currency of the prices given; 0 without prices.
    seconds : float
        Time until it had come.
    problem : str
        Why nothing came; empty if something did.
    """

    text: str = ""
    end: str = ""
    logs: tuple[float, ...] = ()
    sizes: tuple[int, ...] = ()
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    seconds: float = 0.0
    problem: str = ""
    priors: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if not np.isfinite(self.logs).all():  # a probability of 0, or no number: JSON has no word for its logarithm
            failure = {"logs": (), "sizes": (), "problem": "logarithms of probabilities that are not finite"}
            for name, value in failure.items():
                object.__setattr__(self, name, value)


@dataclass(frozen=True)
class Reply:
    """What became of one question.

    Attributes
    ----------
    prompt : Prompt
    completion : Completion
    outcome : str
        One of `study.answers.OUTCOMES`.
    choice : int
        The place of the named option in the prompt; -1 if there is none.
    order : tuple of int
        The options as the instrument numbers them, in the order of the prompt.
    """

    prompt: Prompt
    completion: Completion
    outcome: str
    choice: int
    order: tuple[int, ...] = ()

    @property
    def option(self) -> int:
        """The named option as the instrument numbers it, or -1."""
        return self.choice if self.choice < 0 or not self.order else self.order[self.choice]

    def record(self) -> dict[str, Any]:
        """Return what the ``extra`` of a trial row keeps: outcome, prompt and answer word for word, and the cost."""
        fields = {name: value for name, value in asdict(self.completion).items() if value not in ("", (), 0)}
        return {
            "outcome": self.outcome, "place": self.choice, "prompt": [list(turn) for turn in self.prompt.turns],
            "shown": list(self.prompt.options), "pictures": len(self.prompt.pictures), **fields,
        }  # fmt: skip


def parse(prompt: Prompt, completion: Completion) -> Reply:
    """Return the reply that a model's words amount to; see `named` for how an option is found in them.

    Examples
    --------
    >>> prompt = Prompt("shape/0", (("user", "Which name?"),), ("pado", "tif"), labelled=True)
    >>> [parse(prompt, Completion(text)).outcome for text in ("ANSWER: B", "", "I cannot answer this.", "A or B")]
    ['answered', 'unparsed', 'refused', 'unparsed']
    """
    outcome, choice = "answered", -1
    if completion.problem:
        outcome = "failed"
    elif prompt.endings:
        if len(completion.logs) == len(completion.sizes) == len(prompt.endings):
            choice = int(np.argmax(completion.logs))
        else:
            outcome = "failed"
    elif completion.end in _REFUSED:
        outcome = "refused"
    else:
        explicit, choice = named(prompt, completion.text)
        if completion.end in _CUT and (not explicit or choice < 0 or _unfinished(prompt, completion.text)):
            outcome, choice = "truncated", -1
        elif choice < 0:
            outcome = "refused" if not explicit and _REFUSAL.search(_HEDGE.sub("", completion.text)) else "unparsed"
    return Reply(prompt, completion, outcome, choice)


def named(prompt: Prompt, text: str) -> tuple[bool, int]:
    """Return whether an answer is marked as one, and the place of the option that it names, or -1.

    Notes
    -----
    The last ``ANSWER: X`` decides, whatever stands before it; X is a letter or an option. Without one, the text may
    name one option and no other, by its letter or in its own words. A letter in a sentence counts if it stands alone:
    the A of "A closer look" is a word. A text that says "not" before an option, or just behind it, names none; "I can't
    be sure, but B" does not say it of B.

    Examples
    --------
    >>> prompt = Prompt("shape/0", (("user", "Which name?"),), ("pado", "tif"), labelled=True)
    >>> named(prompt, "It could be pado. ANSWER: tif"), named(prompt, "A closer look shows that it is B")
    ((True, 1), (False, 1))
    """
    marked = _marked(text)
    text = _HEDGE.sub("", text) if marked is None else marked
    choice = _alone(prompt, text)
    matches = _mentioned(prompt, text) if choice < 0 else {choice}
    return marked is not None, matches.pop() if len(matches) == 1 else -1


def _marked(text: str) -> str | None:
    """Return what the last mark of an answer marks, in its own line or the next; None if there is no mark."""
    marks = [*_MARKED.finditer(text)]
    if not marks or marks[-1][1].strip(_DRESS):
        return marks[-1][1] if marks else None
    return next((line for line in text[marks[-1].end() :].splitlines() if line.strip(_DRESS)), "")


def _unfinished(prompt: Prompt, text: str) -> bool:
    """Return whether a marked answer ends with the text and may be the beginning of an option."""
    marked = _marked(text) or ""
    bare = _plain(marked)
    if not text.endswith(marked) or bare in map(str.casefold, prompt.labels):
        return False
    return any(option.startswith(bare) and option != bare for option in map(_plain, prompt.options))


def _alone(prompt: Prompt, text: str) -> int:
    """Return the place of the option, or its letter, that a text is, and nothing else; -1 if it is more."""
    bare = _plain(text)
    for names in (prompt.options, prompt.labels):
        if (plain := [*map(_plain, names)]).count(bare) == 1:
            return plain.index(bare)
    return -1


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(_DRESS)


def _mentioned(prompt: Prompt, text: str) -> set[int]:
    """Return the places of all options that a text names; none if it says of one that it is not the answer."""
    first: dict[int, int] = {}
    ends: list[int] = []

    def note(match: re.Match, *places: int) -> str:
        ends.append(match.end())
        for place in places:
            first.setdefault(place, match.start())
        return " " * len(match[0])  # a shorter option in it is not named

    for letter in _CAPITAL.finditer(text):
        if letter[1] in prompt.labels and not _WORD.match(text, letter.start()):
            note(letter, prompt.labels.index(letter[1]))
    for option in sorted(filter(str.split, {*prompt.options}), key=lambda option: (-len(option), option)):
        places = [place for place, other in enumerate(prompt.options) if other == option]
        words = r"\s+".join(map(re.escape, option.split()))
        text = re.sub(rf"{_BEGIN}{words}{_END}", lambda match, at=places: note(match, *at), text, flags=re.IGNORECASE)
    # denied by the first three words behind it, in the same sentence
    behind = (" ".join(re.split(r"[.;!?\n]", text[end : end + 80], maxsplit=1)[0].split()[:3]) for end in ends)
    denied = any(map(_DENIAL.search, behind))
    return set() if first and (denied or _NEGATION.search(text[: max(first.values())])) else set(first)


def outcomes(replies: Sequence[Reply]) -> pd.DataFrame:
    """Return one row for each outcome: outcome, n, share, and the sums tokens_in, tokens_out and cost.

    Examples
    --------
    >>> outcomes([]).outcome.tolist() == list(OUTCOMES)
    True
    """
    counts = ["tokens_in", "tokens_out", "cost"]
    rows = [[reply.outcome, 1, *(getattr(reply.completion, name) for name in counts)] for reply in replies]
    table = pd.DataFrame(rows, columns=["outcome", "n", *counts])
    sums = table.groupby("outcome").sum().reindex(OUTCOMES, fill_value=0)
    sums.insert(1, "share", sums["n"] / max(len(replies), 1))
    return sums.reset_index()


def places(replies: Sequence[Reply]) -> pd.DataFrame:
    """Return one row for each place in the list of lettered options: how often it was chosen, and how often it was due.

    Returns
    -------
    DataFrame
        Columns place (from 1), chosen and due (shares of the answered questions), and n. A model that looks at the
        options and not at their places has the two shares alike: every place is due equally often, in the long run,
        because the order of options is turned round.
    """
    lettered = [reply for reply in replies if reply.outcome == "answered" and reply.prompt.labelled]
    most, n = max((len(reply.prompt.options) for reply in lettered), default=0), len(lettered)
    chosen = np.bincount([reply.choice for reply in lettered], minlength=most) / max(n, 1)
    return pd.DataFrame({"place": np.arange(1, most + 1), "chosen": chosen, "due": 1 / max(most, 1)}).assign(n=n)
