"""The networks, and the learner that wraps them (Carrillo & Betancort 2024, "Computational Agents Architecture")."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from cogkit.equivalence.agents import NAMES, AgentConfig, TransformerConfig
from cogkit.equivalence.problems import OPTIONS, Question
from cogkit.learning import one_thread

SHOWN = 4  # sample and three comparisons
_CHUNK = 1024  # trials at once: what they need fits in the processor's cache
_SPREAD = 0.02


class Block(nn.Module):
    """Attention over the places of a trial, then a layer at each place; both added to what comes in."""

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads, self.scale = heads, (width // heads) ** -0.5
        self.before = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width)
        self.between = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)
        self.dropout = nn.Dropout(dropout)

    def parts(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return queries, keys and values, each (n, places, heads, width / heads)."""
        return self.qkv(self.before(x)).unflatten(-1, (3, self.heads, -1)).unbind(2)

    def attend(self, x: Tensor, queries: Tensor, keys: Tensor, values: Tensor, hidden: Tensor | None) -> Tensor:
        """Return x, at the places of the queries, after the block; ``hidden`` marks places not to be seen."""
        weights = torch.einsum("nqhd,nkhd->nhqk", queries, keys) * self.scale
        if hidden is not None:
            weights = weights.masked_fill(hidden, float("-inf"))
        weights = self.dropout(weights.softmax(dim=-1))
        seen = torch.einsum("nhqk,nkhd->nqhd", weights.to(values.dtype), values).flatten(2)
        x = x + self.dropout(self.out(seen))
        return x + self.dropout(self.down(self.up(self.between(x)).relu_()))


class Transformer(nn.Module):
    """A trial's four tokens in, a token for each place out: the next one, and at the last place the answer.

    Parameters
    ----------
    tokens : int
        Different tokens, the three options last.
    config : TransformerConfig

    Notes
    -----
    Differs from the paper's program: one product makes queries, keys and values of all heads, which is the same sum.
    """

    def __init__(self, tokens: int, config: TransformerConfig) -> None:
        super().__init__()
        self.causal, self.every_place = config.mask == "causal", config.loss == "all"
        self.token = nn.Embedding(tokens, config.width)
        self.place = nn.Embedding(SHOWN, config.width)
        self.blocks = nn.ModuleList(Block(config.width, config.heads, config.dropout) for _ in range(config.layers))
        self.after = nn.LayerNorm(config.width)
        self.head = nn.Linear(config.width, tokens)
        self.register_buffer("hidden", torch.ones(SHOWN, SHOWN, dtype=torch.bool).triu(1), persistent=False)
        for module in self.modules():
            if isinstance(module, nn.Linear | nn.Embedding):
                nn.init.normal_(module.weight, std=_SPREAD)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)

    def forward(self, shown: Tensor, last: bool = False) -> Tensor:
        """Return logits of the next token at each place, (n, 4, tokens); at the last one alone, (n, 1, tokens)."""
        x, hidden = self.token(shown) + self.place.weight, self.hidden if self.causal else None
        for block in self.blocks:
            queries, keys, values = block.parts(x)
            if last and block is self.blocks[-1]:
                x, queries, hidden = x[:, -1:], queries[:, -1:], None
            x = block.attend(x, queries, keys, values, hidden)
        return self.head(self.after(x))

    def loss(self, trials: Tensor) -> Tensor:
        """Return the mean cross-entropy in nats of the tokens to be named; trials (n, 5) are whole."""
        logits = self(trials[:, :SHOWN], last=not self.every_place)
        return nn.functional.cross_entropy(logits.flatten(0, 1).float(), trials[:, -logits.shape[1] :].flatten())

    def answers(self, shown: Tensor) -> Tensor:
        """Return logits of the answer, (n, tokens), the options first."""
        shares = self.causal and not self.training  # dropout would be the same for all who share a beginning
        logits = self._by_beginnings(shown) if shares else self(shown, last=True)[:, 0]
        return logits.roll(OPTIONS, dims=1)

    def _by_beginnings(self, shown: Tensor) -> Tensor:
        """Return the last place's logits, each beginning that trials share worked out once: a place sees no later one.

        Of 246,960 trials there are 28, 784 and 21,952 beginnings of one, two and three tokens.
        """
        base, code, levels = self.token.num_embeddings, torch.zeros_like(shown[:, 0]), []
        for k in range(SHOWN):
            code = code * base + shown[:, k]
            levels.append(torch.unique(code, return_inverse=True))
        codes = [found for found, _ in levels]
        above = [  # for every beginning, where those within it stand among theirs
            [torch.searchsorted(codes[j], codes[k] // base ** (k - j)) for j in range(k)] for k in range(SHOWN)
        ]
        states = [self.token(found % base)[:, None] + self.place.weight[k] for k, found in enumerate(codes)]
        for block in self.blocks:
            parts = [block.parts(x) for x in states]
            for k, (queries, *own) in enumerate(parts):
                keys, values = (
                    torch.cat([*(parts[j][of][above[k][j]] for j in range(k)), own[of - 1]], dim=1) for of in (1, 2)
                )
                states[k] = block.attend(states[k], queries, keys, values, None)
        return self.head(self.after(states[-1][:, 0]))[levels[-1][1]]


def build(config: AgentConfig) -> nn.Module:
    """Return a fresh network: ``loss(trials (n, 5))`` to be trained by, ``answers(shown (n, 4))`` to be asked.

    Examples
    --------
    >>> from cogkit.equivalence import agents, problems
    >>> network = build(agents.config("gpt", problems.Design(), "paper"))
    >>> sum(weights.numel() for weights in network.parameters())
    10682164
    """
    return Transformer(len(config.design.tokens), config)


def precision(config: AgentConfig) -> torch.dtype:
    """Return in what matrix products are computed: bfloat16 where the config asks for it and the machine has it."""
    if not getattr(config, "half", False):
        return torch.float32
    able = torch.cuda.is_bf16_supported() if torch.cuda.is_available() else torch.ops.mkldnn._is_mkldnn_bf16_supported()
    return torch.bfloat16 if able else torch.float32


def device(config: AgentConfig) -> str:
    """Return where a network of this config computes: a GPU for one of the paper's size, where there is one."""
    return "cuda" if getattr(config, "half", False) and torch.cuda.is_available() else "cpu"


class Agent:
    """A trained network as a learner.

    Parameters
    ----------
    network : nn.Module
        As `build` makes it; not copied.
    config : AgentConfig
    noise : int, optional
        Seed of the dropout that stays on while it answers; off when left out.
    """

    kind, inputs = "model", "symbols"

    def __init__(self, network: nn.Module, config: AgentConfig, noise: int | None = None) -> None:
        self.network, self.config, self.noise = network, config, noise
        self.name = NAMES[config.agent]

    def as_published(self, seed: int) -> Agent:
        """Return the agent as the paper's program asked it: dropout was never switched off."""
        return Agent(self.network, self.config, noise=seed)

    @torch.no_grad()
    def choose(self, question: Question) -> np.ndarray:
        """Return the chance of every answer, (n, tokens) float32: the three options first, then what is none."""
        place, dtype = device(self.config), precision(self.config)
        shown = np.column_stack([question.sample, question.comparisons]).astype(np.int64)
        order = np.lexsort(shown.T[::-1])  # trials that begin alike, side by side
        chances = np.empty((len(shown), len(self.config.design.tokens)), np.float32)
        was = self.network.training
        self.network.train(self.noise is not None)
        try:
            with one_thread(), torch.random.fork_rng(), torch.autocast(place, dtype, enabled=dtype != torch.float32):
                torch.manual_seed(0 if self.noise is None else self.noise)
                for at in range(0, len(shown), _CHUNK):
                    chunk = order[at : at + _CHUNK]
                    logits = self.network.answers(torch.from_numpy(shown[chunk]).to(place))
                    chances[chunk] = logits.float().softmax(dim=1).cpu().numpy()
        finally:
            self.network.train(was)
        return chances
