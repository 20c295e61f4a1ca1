"""A version space that learns: every word has a belief over hypotheses, and every picture is evidence about them.

What a hypothesis means is learnt. Only its kind is given: it is about a thing, about the thing that is pointed at,
about the place of one thing relative to another, or about the picture as a whole.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, embedding, logsigmoid

from cogkit.mewl.learners.agents import WordLearnerConfig
from cogkit.mewl.learners.networks.eyes import SlotCodes, SlotNumbers
from cogkit.mewl.problems import tokens
from cogkit.mewl.problems.episodes import OPTIONS, PANELS

_STRONG = 5.0  # first size of evidence; with 1, all options stay equally likely for long
_NEVER = -1e4
_LEAST = -20.0  # the logarithm of the smallest probability that counts
_ALONE = 0.5  # weight of the answers by each kind of hypothesis alone
_LEFT_OUT = 0.2  # share of the hypotheses that an episode of training does without: no meaning may hang on one alone
_TINY = 1e-30
_FREE = -6.0  # a hypothesis that the other words believe in less than this is free


class Occurrences(NamedTuple):
    """Where new words occur, N times in all.

    Attributes
    ----------
    words : (N,) Tensor of int64
        Numbers of words: `tokens.MOST_NEW` in each episode.
    utterances : (N,) Tensor of int64
        From 0 to 10, first those of the panels, then the options.
    episodes : (N,) Tensor of int64
    codes : (N, L) Tensor of int64
        All words of the utterance, as `tokens` numbers them.
    offsets : (N, L) Tensor of int64
        How far each of them stands behind the new word, as rows of a table.
    known, new : (N, L) Tensor of bool
        Which of the other words are English, and which are new.
    """

    words: Tensor
    utterances: Tensor
    episodes: Tensor
    codes: Tensor
    offsets: Tensor
    known: Tensor
    new: Tensor

    @classmethod
    def of(cls, token_ids: Tensor) -> Occurrences:
        """Return the occurrences in utterances (B, 11, L)."""
        episodes, utterances, places = (token_ids >= tokens.NEW).nonzero(as_tuple=True)
        codes = token_ids[episodes, utterances]
        apart = torch.arange(token_ids.shape[2], device=token_ids.device) - places[:, None]
        other = (codes != tokens.PAD) & (apart != 0)
        known, new = other & (codes < tokens.NEW), other & (codes >= tokens.NEW)
        words = episodes * tokens.MOST_NEW + token_ids[episodes, utterances, places] - tokens.NEW
        return cls(words, utterances, episodes, codes, apart + tokens.LONGEST - 1, known, new)

    @property
    def pictures(self) -> Tensor:
        """Numbers of the pictures, (N,): 7 in each episode."""
        return self.episodes * (PANELS + 1) + self.utterances.clamp(max=PANELS)

    def take(self, rows: Tensor) -> Occurrences:
        """Return some of the occurrences."""
        return Occurrences(*(value[rows] for value in self))


class Pictures(NamedTuple):
    """What is seen in P pictures.

    Attributes
    ----------
    slots : (P, S, numbers) Tensor
    mask : (P, S) Tensor of bool
        Which slots are filled.
    literal : (P, S, hypotheses) Tensor
        For each hypothesis about some thing, how true it is of each thing.
    """

    slots: Tensor
    mask: Tensor
    literal: Tensor

    def take(self, rows: Tensor) -> Pictures:
        """Return some of the pictures, without slots that are empty in all of them."""
        most = max(1, int(self.mask[rows].sum(dim=1).max())) if len(rows) else 1
        return Pictures(*(value[:, :most].index_select(0, rows) for value in self))


class Reading(NamedTuple):
    """What a network makes of episodes.

    Attributes
    ----------
    scores : (B, 5) Tensor
        For each option, how well its words fit the picture that is asked about.
    apart : (B, 5, 4) Tensor
        The same by each kind of hypothesis alone, as if there were no other; (B, 5, 0) where it was not asked for.
    beliefs : (B, words, hypotheses) Tensor
        Logarithms of probabilities, after the six panels.
    """

    scores: Tensor
    apart: Tensor
    beliefs: Tensor


class VersionSpace(nn.Module):
    """Eyes, and words that gather evidence; the output is a number for each option.

    Each panel, together with the other words of its utterance, is evidence for or against each hypothesis about each of
    its words. A word's evidence is added up over the panels in which it is heard. No two words mean the same. With what
    the words have then come to mean, the utterances are read once more. The number of an option is the logarithm of the
    probability that its words are true of the picture that is asked about. In training, every episode does without some
    hypotheses, drawn at random, so that each meaning is learnt more than once.

    ``eyes(obs) -> (B, 7, S, numbers), (B, 7, S) bool``: slots as numbers, and which are filled. Of its ``numbers``,
    the first ``what`` say what a thing is. A word is bound to a thing by these alone. ``kinds`` is how many hypotheses
    there are of each kind, in this order: about a thing, the thing pointed at, the picture, the relation of two things.
    """

    def __init__(self, eyes: SlotNumbers | SlotCodes, config: WordLearnerConfig) -> None:
        super().__init__()
        numbers, width, self.eyes, self.rounds = eyes.numbers, config.width, eyes, config.rounds
        ways, namings = (config.pointers, config.pointed), (config.namings, config.relations)
        self.kinds = config.things, math.prod(ways), config.scenes, math.prod(namings)
        total = sum(self.kinds)
        self.things = _evidence(numbers, width, config.things)
        self.pointed = Pointed(numbers, width, *ways)
        self.scenes = Scenes(numbers, width, config.scenes)
        self.sentences = Sentences(numbers, eyes.what, *namings, total)
        self.share = nn.Parameter(torch.randn(total, width) * width**-0.5)
        self.said = nn.EmbeddingBag(tokens.NEW + 1, width, mode="mean", padding_idx=tokens.PAD)
        self.about = nn.Sequential(nn.Linear(3 * width, width), nn.ReLU(), nn.Linear(width, total))

    def forward(self, obs: Tensor, token_ids: Tensor) -> Tensor:
        """Return a number for each option, (B, 5), from the input of the eyes and from words (B, 11, L)."""
        return self.read(obs, token_ids).scores

    def taught(self, obs: Tensor, token_ids: Tensor, answers: Tensor) -> tuple[Tensor, Tensor]:
        """Return the loss of a batch, and a number for each option, (B, 5).

        Each kind of hypothesis must also answer alone, so that none leaves everything to the one that learns first.
        The less sure the whole is of an answer, the more this counts.
        """
        scores, apart, _ = self.read(obs, token_ids, apart=True)
        whole = cross_entropy(scores, answers, reduction="none")
        alone = cross_entropy(apart, answers[:, None].expand(-1, apart.shape[2]), reduction="none").mean(dim=1)
        unsure = 1 - (-whole.detach()).exp()
        return (whole + _ALONE * unsure * alone).mean(), scores

    def read(self, obs: Tensor, token_ids: Tensor, apart: bool = False) -> Reading:
        """Return what the words have come to mean after six panels, and how well each option then fits.

        ``apart`` asks for the answers of each kind of hypothesis too, which only training needs.
        """
        slots, mask = self.eyes(obs)
        sums = self.scenes.sums(slots, mask)
        literal = self.things(slots).masked_fill(~mask[..., None], _NEVER)
        pictures = Pictures(*(value.flatten(0, 1) for value in (slots, mask, literal)))
        whole = torch.cat([self.pointed(slots, mask), self.scenes(sums)], dim=2).flatten(0, 1)
        occurrences = Occurrences.of(token_ids)
        heard = torch.zeros(len(token_ids) * tokens.MOST_NEW, dtype=torch.bool, device=token_ids.device)
        heard = heard.index_fill(0, occurrences.words, True).view(-1, tokens.MOST_NEW)
        panels, options = _where(occurrences.utterances < PANELS), _where(occurrences.utterances >= PANELS)
        evidence = torch.cat([logsigmoid(pictures.literal.logsumexp(dim=1)), whole], dim=1)
        silence = self.sentences.related().expand(len(occurrences.words), -1)
        evidence = torch.cat([evidence.index_select(0, occurrences.pictures), silence], dim=1)
        sentence_rows = _where((occurrences.known | occurrences.new).any(dim=1))
        some, seen = occurrences.take(sentence_rows), pictures.take(occurrences.pictures[sentence_rows])
        episode = torch.cat([sums.mean(dim=1), self.said(token_ids.flatten(1).clamp(max=tokens.NEW))], dim=1)
        count = sum(self.kinds)
        beliefs = torch.full((*heard.shape, count), -math.log(count), device=slots.device)
        left_out = torch.rand(len(token_ids), count) < _LEFT_OUT if self.training else None
        for turn in range(self.rounds):
            if len(sentence_rows) and (not turn or some.new.any()):  # otherwise they say the same as before
                related, fits = self.sentences(some, seen, beliefs)
                named = logsigmoid(of_some_thing(seen.literal, fits))
                said_so = torch.cat([named, whole.index_select(0, some.pictures), related], dim=1)
                evidence = evidence.index_copy(0, sentence_rows, said_so)
            gathered = torch.zeros(heard.numel(), count, device=slots.device)
            gathered = gathered.index_add(0, occurrences.words[panels], evidence.index_select(0, panels)).view(
                beliefs.shape
            )
            shares = (beliefs.exp() * heard[..., None]).sum(dim=1) / heard.sum(dim=1, keepdim=True)
            about = self.about(torch.cat([shares @ self.share, episode], dim=1))  # words of an episode are alike
            if left_out is not None:
                about = about.masked_fill(left_out.to(about.device), _NEVER)
            odds = gathered + about[:, None]
            beliefs = exclusive(odds.log_softmax(dim=2), heard)
        kinds = odds.split(self.kinds, dim=2) if apart else ()
        alone = [exclusive(kind.log_softmax(dim=2), heard) for kind in kinds]
        words, option_evidence = occurrences.words[options], evidence.index_select(0, options)
        parts = zip([beliefs, *alone], [option_evidence, *option_evidence.split(self.kinds, dim=1)], strict=False)
        fits = [(believed.flatten(0, 1).index_select(0, words) + true).logsumexp(dim=1) for believed, true in parts]
        rows = occurrences.episodes[options] * OPTIONS + occurrences.utterances[options] - PANELS
        scores = torch.zeros(len(token_ids) * OPTIONS, len(fits), device=slots.device)
        scores = scores.index_add(0, rows, torch.stack(fits, dim=1)).view(-1, OPTIONS, len(fits))
        return Reading(scores[..., 0], scores[..., 1:], beliefs)


def exclusive(beliefs: Tensor, heard: Tensor, turns: int = 2) -> Tensor:
    """Return beliefs (B, words, hypotheses) after each word left to the others what they believe in more.

    A few turns of Sinkhorn's balancing: over the words, then over the hypotheses. Beliefs are logarithms of
    probabilities; ``heard`` (B, words) are the words that the episode has.

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


def of_some_thing(literal: Tensor, fits: Tensor) -> Tensor:
    """Return how true hypotheses are of some thing that fits, (N, hypotheses): a sum of probabilities, in logarithms.

    It is ``(literal + fits[..., None]).logsumexp(dim=1)``, as a product of matrices, which is several times faster.
    ``literal`` is (N, S, hypotheses), ``fits`` (N, S).

    Examples
    --------
    >>> of_some_thing(torch.zeros(1, 2, 1), torch.zeros(1, 2)).exp()
    tensor([[2.]])
    """
    top, best = literal.amax(dim=1, keepdim=True).detach(), fits.amax(dim=1, keepdim=True).detach()
    both = (fits - best).exp()[:, None] @ (literal - top).exp()
    return (both.clamp(min=_TINY).log() + top)[:, 0] + best


class Sentences(nn.Module):
    """What the other words of an utterance say about a new one: which things they name, and how these lie.

    English words and hypotheses look for things by what they are. Where a word stands decides its role: each way of
    naming sets two pointers. The place of the first relative to the second is evidence about relations, and the place
    of each thing relative to the first says how well it fits the English words of the utterance. A thing that other
    words name may fit better or worse than the others.
    """

    def __init__(self, numbers: int, what: int, ways: int, each: int, total: int) -> None:
        super().__init__()
        self.what = what
        self.words = nn.Parameter(torch.randn(tokens.NEW, ways, what) * 0.3)
        self.meanings = nn.Parameter(torch.randn(total, ways, what) * 0.3)
        self.roles = nn.Parameter(torch.randn(2 * tokens.LONGEST - 1, ways, 2) * 0.5 + 0.3)
        self.relations = nn.Parameter(torch.randn(ways, each, numbers))
        self.bias = nn.Parameter(torch.zeros(ways, each))
        self.directions = nn.Parameter(torch.randn(tokens.NEW, ways, numbers) * 0.3)
        self.places = nn.Parameter(torch.randn(2 * tokens.LONGEST - 1, ways) * 0.5 + 0.3)
        self.taken = nn.Parameter(torch.zeros(ways, 2))

    def forward(self, occurrences: Occurrences, seen: Pictures, beliefs: Tensor) -> tuple[Tensor, Tensor]:
        """Return evidence about relations (N, ways · each), and how each slot fits (N, S).

        ``occurrences`` are occurrences whose utterance has other words, ``seen`` the picture of each, and ``beliefs``
        (B, words, hypotheses) the logarithms of what is believed of each new word.
        """
        slots, mask, _ = seen
        codes = occurrences.codes.clamp(max=tokens.NEW - 1)
        looks = _rows(self.words, codes) * occurrences.known[..., None, None]
        if occurrences.new.any():
            meant = torch.einsum("wk,kpd->wpd", beliefs.exp().flatten(0, 1), self.meanings)
            words = occurrences.episodes[:, None] * tokens.MOST_NEW + (occurrences.codes - tokens.NEW).clamp(min=0)
            looks = looks + _rows(meant, words) * occurrences.new[..., None, None]
        queries = torch.einsum("nlph,nlpd->nphd", _rows(self.roles, occurrences.offsets), looks)
        pointers = torch.einsum("nphd,nsd->nphs", queries, slots[..., : self.what])
        pointers = pointers.masked_fill(~mask[:, None, None], _NEVER).softmax(dim=3)
        first, second = torch.einsum("nphs,nsk->hnpk", pointers, slots)
        known = _rows(self.directions, codes) * occurrences.known[..., None, None]
        ways = torch.einsum("nlp,nlpk->npk", _rows(self.places, occurrences.offsets), known)
        fits = torch.einsum("nk,nsk->ns", ways.sum(dim=1), slots) - (ways * first).sum(dim=(1, 2))[:, None]
        taken = torch.einsum("nphs,ph->ns", pointers, self.taken)
        return self.related(first - second), fits + taken * occurrences.new.any(dim=1, keepdim=True)

    def related(self, apart: Tensor | None = None) -> Tensor:
        """Return evidence about relations, given how things lie to each other (N, ways, numbers), or from nothing."""
        far = 0.0 if apart is None else _STRONG * torch.einsum("npk,pjk->npj", apart, self.relations)
        return logsigmoid(far + self.bias).flatten(-2)


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


def _where(which: Tensor) -> Tensor:
    return which.nonzero()[:, 0]


def _rows(table: Tensor, numbers: Tensor) -> Tensor:
    """Return ``table[numbers]``; its gradient is added up faster."""
    return embedding(numbers, table.flatten(1)).view(*numbers.shape, *table.shape[1:])


def _evidence(numbers: int, width: int, hypotheses: int) -> nn.Sequential:
    last = nn.Linear(width, hypotheses)
    with torch.no_grad():
        last.weight.mul_(_STRONG)
    return nn.Sequential(nn.Linear(numbers, width), nn.ReLU(), last)
