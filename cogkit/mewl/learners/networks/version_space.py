"""A version space that learns: every word has a belief over hypotheses, and every picture is evidence about them.

What a hypothesis means is learnt. Only its kind is given: it is about a thing, about the thing that is pointed at,
about the place of one thing relative to another, or about the picture as a whole.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import logsigmoid

from cogkit.mewl.learners.networks.eyes import SlotNumbers
from cogkit.mewl.problems import tokens
from cogkit.mewl.problems.episodes import OPTIONS, PANELS

_STRONG = 5.0  # first size of evidence; with 1, all options stay equally likely for long
_NEVER = -1e4
_LEAST = -20.0  # the logarithm of the smallest probability that counts
_FREE = -6.0  # a hypothesis that the other words believe in less than this is free


class Hypotheses(NamedTuple):
    """How many hypotheses there are of each kind.

    Attributes
    ----------
    things : int
        About some thing in the picture.
    pointed : tuple of (int, int)
        About the thing that is pointed at: ways of pointing, and hypotheses of each.
    relations : tuple of (int, int)
        About two things that the other words name: ways of naming, and hypotheses of each.
    scenes : int
        About the picture as a whole.
    """

    things: int
    pointed: tuple[int, int]
    relations: tuple[int, int]
    scenes: int

    @property
    def total(self) -> int:
        return self.things + math.prod(self.pointed) + math.prod(self.relations) + self.scenes


class Occurrences(NamedTuple):
    """Where new words occur, N times in all.

    Attributes
    ----------
    episodes, utterances, words : (N,) Tensor of int64
        Utterances count from 0 to 10, first those of the panels, then the options. Words count from 0.
    codes : (N, L) Tensor of int64
        All words of the utterance, as numbers.
    offsets : (N, L) Tensor of int64
        How far each of them stands behind the new word, as rows of a table.
    known, new : (N, L) Tensor of bool
        Which of the other words are English, and which are new.
    """

    episodes: Tensor
    utterances: Tensor
    words: Tensor
    codes: Tensor
    offsets: Tensor
    known: Tensor
    new: Tensor

    @classmethod
    def of(cls, said: Tensor) -> Occurrences:
        """Return the occurrences in utterances (B, 11, L)."""
        episodes, utterances, places = (said >= tokens.NEW).nonzero(as_tuple=True)
        codes = said[episodes, utterances]
        apart = torch.arange(said.shape[2], device=said.device) - places[:, None]
        other = (codes != tokens.PAD) & (apart != 0)
        known, new = other & (codes < tokens.NEW), other & (codes >= tokens.NEW)
        words = said[episodes, utterances, places] - tokens.NEW
        return cls(episodes, utterances, words, codes, apart + tokens.LONGEST - 1, known, new)


class Reading(NamedTuple):
    """What a network makes of episodes.

    Attributes
    ----------
    scores : (B, 5) Tensor
        For each option, how well its words fit the picture that is asked about.
    beliefs : (B, words, hypotheses) Tensor
        Logarithms of probabilities, after the six panels.
    """

    scores: Tensor
    beliefs: Tensor


class VersionSpace(nn.Module):
    """Eyes, and words that gather evidence; the output is a number for each option.

    Each panel, together with the other words of its utterance, is evidence for or against each hypothesis about each of
    its words. A word's evidence is added up over the panels in which it is heard. No two words mean the same. With what
    the words have then come to mean, the utterances are read once more. The number of an option is the logarithm of the
    probability that its words are true of the picture that is asked about.

    Parameters
    ----------
    eyes : SlotNumbers
        ``eyes(shown) -> (B, 7, S, numbers), (B, 7, S) bool``: slots as numbers, and which are filled. Of its
        ``numbers``, the first ``what`` say what a thing is. A word is bound to a thing by these alone.
    hypotheses : Hypotheses
    width : int
        Of hidden layers.
    rounds : int
        How often the utterances are read.
    """

    def __init__(self, eyes: SlotNumbers, hypotheses: Hypotheses, width: int, rounds: int = 2) -> None:
        super().__init__()
        numbers, what = eyes.numbers, eyes.what
        self.eyes, self.rounds, self.hypotheses = eyes, rounds, hypotheses
        self.things = _evidence(numbers, width, hypotheses.things)
        self.pointed = Pointed(numbers, width, *hypotheses.pointed)
        self.scenes = Scenes(numbers, width, hypotheses.scenes)
        self.sentences = Sentences(numbers, what, hypotheses)
        self.share = nn.Parameter(torch.randn(hypotheses.total, width) * width**-0.5)
        self.said = nn.EmbeddingBag(tokens.NEW + 1, width, mode="mean", padding_idx=tokens.PAD)
        self.about = nn.Sequential(nn.Linear(3 * width, width), nn.ReLU(), nn.Linear(width, hypotheses.total))

    def forward(self, shown: Tensor, said: Tensor) -> Tensor:
        """Return a number for each option, (B, 5), from the input of the eyes and from words (B, 11, L)."""
        return self.read(shown, said).scores

    def read(self, shown: Tensor, said: Tensor) -> Reading:
        """Return the same, and what the words have come to mean."""
        slots, mask = self.eyes(shown)
        found = Occurrences.of(said)
        heard = torch.zeros(len(said) * tokens.MOST_NEW, dtype=torch.bool, device=said.device)
        rows = found.episodes * tokens.MOST_NEW + found.words
        heard = heard.index_fill(0, rows, True).view(-1, tokens.MOST_NEW)
        pictures = found.episodes, found.utterances.clamp(max=PANELS)
        in_panel = found.utterances < PANELS
        literal = self.things(slots).masked_fill(~mask[..., None], _NEVER)[pictures]
        sums = self.scenes.sums(slots, mask)
        episode = torch.cat([sums.mean(dim=1), self.said(said.flatten(1).clamp(max=tokens.NEW))], dim=1)
        seen = torch.cat([self.pointed(slots, mask), self.scenes(sums)], dim=2)[pictures]
        slots, mask = slots[pictures], mask[pictures]
        count = self.hypotheses.total
        beliefs = torch.full((*heard.shape, count), -math.log(count), device=slots.device)
        for turn in range(self.rounds):
            if not turn or found.new.any():  # with other words alike, the utterances would be read as before
                related, fits = self.sentences(found, slots, mask, beliefs)
                named = logsigmoid((literal + fits[..., None]).logsumexp(dim=1))
                evidence = torch.cat([named, seen, related], dim=1)
            gathered = torch.zeros(heard.numel(), evidence.shape[1], device=slots.device)
            gathered = gathered.index_add(0, rows[in_panel], evidence[in_panel]).view(beliefs.shape)
            shares = (beliefs.exp() * heard[..., None]).sum(dim=1) / heard.sum(dim=1, keepdim=True)
            about = self.about(torch.cat([shares @ self.share, episode], dim=1))  # words of an episode are alike
            gathered = gathered + about[:, None]
            beliefs = exclusive(gathered.log_softmax(dim=2), heard)
        asked = ~in_panel
        fit = (beliefs.flatten(0, 1)[rows[asked]] + evidence[asked]).logsumexp(dim=1)
        options = found.episodes[asked] * OPTIONS + found.utterances[asked] - PANELS
        scores = torch.zeros(len(said) * OPTIONS, device=slots.device).index_add(0, options, fit)
        return Reading(scores.view(-1, OPTIONS), beliefs)


def exclusive(beliefs: Tensor, heard: Tensor, turns: int = 2) -> Tensor:
    """Return beliefs (B, words, hypotheses) after each word left to the others what they believe in more.

    A few turns of Sinkhorn's balancing: over the words, then over the hypotheses.

    Parameters
    ----------
    beliefs : (B, words, hypotheses) Tensor
        Logarithms of probabilities.
    heard : (B, words) Tensor of bool
        Words that the episode has.

    Examples
    --------
    >>> beliefs = torch.tensor([[[0.5, 0.5], [1.0, 1e-6]]]).log()
    >>> exclusive(beliefs, torch.ones(1, 2, dtype=torch.bool)).exp()[0, 0]
    tensor([0.1667, 0.8333])
    """
    for _ in range(turns):
        claimed = beliefs.masked_fill(~heard[..., None], _NEVER).logsumexp(dim=1, keepdim=True)
        beliefs = (beliefs - claimed.clamp(min=_FREE)).log_softmax(dim=2)
    return beliefs


class Sentences(nn.Module):
    """What the other words of an utterance say about a new one: which things they name, and how these lie.

    English words and hypotheses look for things by what they are. Where a word stands decides its role: each way of
    naming sets two pointers. The place of the first relative to the second is evidence about relations, and the place
    of each thing relative to the first says how well it fits the English words of the utterance.
    """

    def __init__(self, numbers: int, what: int, hypotheses: Hypotheses) -> None:
        super().__init__()
        ways, each = hypotheses.relations
        self.what = what
        self.words = nn.Parameter(torch.randn(ways, tokens.NEW, what) * 0.3)
        self.meanings = nn.Parameter(torch.randn(ways, hypotheses.total, what) * 0.3)
        self.roles = nn.Parameter(torch.randn(2 * tokens.LONGEST - 1, ways, 2) * 0.5 + 0.3)
        self.relations = nn.Parameter(torch.randn(ways, each, numbers))
        self.bias = nn.Parameter(torch.zeros(ways, each))
        self.directions = nn.Parameter(torch.randn(ways, tokens.NEW, numbers) * 0.3)
        self.places = nn.Parameter(torch.randn(2 * tokens.LONGEST - 1, ways) * 0.5 + 0.3)

    def forward(self, found: Occurrences, slots: Tensor, mask: Tensor, beliefs: Tensor) -> tuple[Tensor, Tensor]:
        """Return evidence about relations (N, ways · each), and how each slot fits (N, S).

        Parameters
        ----------
        found : Occurrences
        slots, mask : (N, S, numbers) Tensor, (N, S) Tensor of bool
            The picture of each occurrence.
        beliefs : (B, words, hypotheses) Tensor
            Logarithms of what is believed of each new word.
        """
        if not (found.known | found.new).any():
            none = torch.zeros(len(slots), self.bias.shape[0], slots.shape[2], device=slots.device)
            return self._related(none), torch.zeros_like(slots[..., 0])
        codes = found.codes.clamp(max=tokens.NEW - 1)
        looks = self.words[:, codes] * found.known[..., None]
        if found.new.any():
            meant = torch.einsum("bwk,pkd->pbwd", beliefs.exp(), self.meanings)
            others = meant[:, found.episodes[:, None], (found.codes - tokens.NEW).clamp(min=0)]
            looks = looks + others * found.new[..., None]
        queries = torch.einsum("nlph,pnld->npdh", self.roles[found.offsets], looks)
        fits = torch.einsum("npdh,nsd->npsh", queries, slots[..., : self.what])
        pointers = fits.masked_fill(~mask[:, None, :, None], _NEVER).softmax(dim=2)
        first, second = torch.einsum("npsh,nsk->hnpk", pointers, slots)
        known = self.directions[:, codes] * found.known[..., None]
        ways = torch.einsum("nlp,pnlk->npk", self.places[found.offsets], known)
        fits = torch.einsum("npk,nsk->ns", ways, slots) - torch.einsum("npk,npk->n", ways, first)[:, None]
        return self._related(first - second), fits

    def _related(self, apart: Tensor) -> Tensor:
        return logsigmoid(_STRONG * torch.einsum("npk,pjk->npj", apart, self.relations) + self.bias).flatten(1)


class Pointed(nn.Module):
    """Evidence of a speaker who points at a thing and chooses the word that picks it out (a rational speaker).

    The literal layer says how true a hypothesis is of each thing. The speaker shares it out among the things, and the
    evidence is what falls to the one pointed at. Each way of pointing has its own hypotheses.
    """

    def __init__(self, numbers: int, width: int, ways: int, each: int) -> None:
        super().__init__()
        self.ways, self.point = ways, nn.Linear(numbers, ways)
        nn.init.normal_(self.point.weight, std=1.5)  # weak pointers would all stay at the mean of the things
        self.literal = _evidence(numbers, width, ways * each)

    def forward(self, slots: Tensor, mask: Tensor) -> Tensor:
        """Return evidence (B, 7, ways · each) from slots (B, 7, S, numbers)."""
        pointers = self.point(slots).masked_fill(~mask[..., None], _NEVER).softmax(dim=2)
        literal = self.literal(slots).masked_fill(~mask[..., None], _NEVER)
        spoken = literal.log_softmax(dim=2).clamp(min=_LEAST).unflatten(3, (self.ways, -1))
        return torch.einsum("bpsw,bpswk->bpwk", pointers, spoken).flatten(2)


class Scenes(nn.Module):
    """Evidence of a picture as a whole: features of its slots are added up, so that counts survive."""

    def __init__(self, numbers: int, width: int, hypotheses: int) -> None:
        super().__init__()
        self.features = nn.Sequential(nn.Linear(numbers, width), nn.ReLU())
        self.told = _evidence(width, width, hypotheses)

    def sums(self, slots: Tensor, mask: Tensor) -> Tensor:
        """Return the sums of features (B, 7, width) of slots (B, 7, S, numbers)."""
        return (self.features(slots) * mask[..., None]).sum(dim=2)

    def forward(self, sums: Tensor) -> Tensor:
        """Return evidence (B, 7, hypotheses) from sums of features."""
        return logsigmoid(self.told(sums))


def _evidence(numbers: int, width: int, hypotheses: int) -> nn.Sequential:
    last = nn.Linear(width, hypotheses)
    with torch.no_grad():
        last.weight.mul_(_STRONG)
    return nn.Sequential(nn.Linear(numbers, width), nn.ReLU(), last)
