"""The tutorial of each task: explanations, worked examples and a check (Jiang et al. 2023, § 5.2).

The authors' own tutorials were not published; these are ours.
"""

from __future__ import annotations

from cogkit.core import presets
from cogkit.core.errors import some
from cogkit.core.study import Page
from cogkit.data.facts import texts
from cogkit.mewl.people.items import SAME, Item, item
from cogkit.mewl.problems.episodes import TASKS, Episode
from cogkit.mewl.problems.tasks import pragmatic, relation
from cogkit.mewl.world.scenes import CONVERSE, IN_WORDS, Scene
from cogkit.mewl.world.things import ATTRIBUTE_OF, Thing

EXAMPLES = 2
_TEXTS = texts(__file__)
PROMPT, PROMPTS, TITLES, AGAIN = (_TEXTS[name] for name in ("prompt", "prompts", "titles", "again"))
_COUNTS = ("nothing", "one thing", "two things", "three things", "four things", "five things", "six things")


def pages(task: str, profile: str = "verified") -> tuple[Page, ...]:
    """Return the pages of a task's tutorial: explanations and worked examples.

    Examples are episodes of the training part, so they never occur as test items.

    Examples
    --------
    >>> [(page.name, len(page.examples)) for page in pages("shape")]
    [('tutorial/shape/0', 0), ('tutorial/shape/1', 1), ('tutorial/shape/2', 1)]
    """
    title = TITLES[presets.choose(task, TASKS, "task")]
    examples = [item(f"{profile}/train/{task}/{number:04d}") for number in range(EXAMPLES)]
    parts = [(title, (*_TEXTS["texts"][task], _TEXTS["alike"]), ())]
    parts += [(f"{title}: an example", explained(example.episode), (example,)) for example in examples]
    return tuple(
        Page(f"tutorial/{task}/{number}", heading, text, task, examples=solutions)
        for number, (heading, text, solutions) in enumerate(parts)
    )


def check(task: str, profile: str = "verified") -> Item:
    """Return the check of a task's tutorial. Its query is one of the six pictures, so it is easy.

    Examples
    --------
    >>> check("shape").attention
    True
    """
    return item(f"{profile}/train/{task}/{EXAMPLES:04d}/{SAME}")


def explained(episode: Episode) -> tuple[str, ...]:
    """Return an explanation of an episode's right name: first the meanings of the words, then the last picture.

    Examples
    --------
    >>> from cogkit.mewl.problems.making import episode
    >>> explained(episode("number", 0))[-1].startswith("The last picture shows ")
    True
    """
    trial = episode.trial
    words = dict.fromkeys(word for name in trial.utterances for word in name.split())  # by their first use
    parts = [_meaning(episode, word) for word in words if word in episode.lexicon]
    answer = trial.options[episode.answer]
    return (*parts, f"The last picture shows {_seen(episode, trial.query, answer)}. So it is “{answer}”.")


def _pictures(episode: Episode, word: str) -> str:
    """Return the pictures whose names contain a word, such as ``pictures 1 and 4``."""
    places = [str(k + 1) for k, name in enumerate(episode.trial.utterances) if word in name.split()]
    return f"picture{'s' * (len(places) > 1)} {some(places, last=' and ')}"


def _meaning(episode: Episode, word: str) -> str:
    means, places = episode.lexicon[word], _pictures(episode, word)
    if episode.task == "relation":
        return f"“{word}” means {IN_WORDS[means]}: that alone is so in both {places}."
    if episode.task == "number":
        return f"“{word}” is for {_COUNTS[means]}: {places}."
    if episode.task == "bootstrap":
        relations = list(dict.fromkeys(IN_WORDS[place] for place in _places(episode, word)))
        return f"“{word}” is the {means}: {places}, where it is {some(relations, last=' and ')} the other thing named."
    if episode.task == "pragmatic":
        return f"“{word}” means {means}: of the three in {places}, only the one pointed at is so."
    return f"“{word}” {'is the' if isinstance(means, Thing) else 'means'} {means}: {places}."


def _places(episode: Episode, word: str) -> list[str]:
    """Return the places of a thing, relative to the other thing in the name."""
    sentences = map(str.split, episode.trial.utterances)
    return [place if noun == word else CONVERSE[place] for noun, place, other in sentences if word in (noun, other)]


def _noun(value: str) -> str:
    """Return a value as a description of a thing."""
    return {"shape": "a " + value, "material": "made of " + value}.get(ATTRIBUTE_OF[value], value)


def _seen(episode: Episode, scene: Scene, answer: str) -> str:
    """Return the content of the last picture that decides the answer."""
    lexicon = episode.lexicon
    if episode.task == "number":
        return _COUNTS[len(scene.things)]
    if episode.task == "object":
        return some([f"the {lexicon[word]}" for word in answer.split(" and ")], last=" and ")
    if episode.task == "relation":
        thing, word, reference = relation.read(answer)
        return f"the {thing} {IN_WORDS[lexicon[word]]} the {reference}"
    if episode.task == "bootstrap":
        thing, place, reference = answer.split()
        return f"the {lexicon[thing]} {IN_WORDS[place]} the {lexicon[reference]}"
    if episode.task == "pragmatic":
        (value,) = pragmatic.excluding(scene, len(scene.things) - 1)
        return f"a hand that points at the only thing that is {_noun(value)}"
    return f"a thing that is {some([_noun(lexicon[word]) for word in answer.split()], last=' and ')}"
