"""The stimulus-equivalence instrument as the house sees it: its cells, datasets, and learners that need no training."""

from __future__ import annotations

from cogkit import presets
from cogkit.contracts import Cell, Instrument
from cogkit.equivalence import agents, problems
from cogkit.equivalence.problems import Design


def agent(config: agents.AgentConfig, profile: str, seed: int) -> list[dict]:
    """Return the result rows of a network trained now."""
    from cogkit.equivalence import training  # brings torch, which no other cell of this instrument needs

    return training.run_agent(config, profile, seed)


def designs() -> list[Design]:
    """Return every condition: the paper's six first, then relations and wrong comparisons that it left out."""
    return sorted(
        (
            Design(structure, relation, negatives)
            for structure in problems.STRUCTURES
            for relation in problems.RELATIONS
            for negatives in problems.NEGATIVES
        ),
        key=lambda design: not in_the_paper(design),
    )


def in_the_paper(design: Design) -> bool:
    """Return whether the paper ran a condition."""
    return design.negatives == "biased" and design.relation != "reject-only"


def cell_id(agent: str, design: Design) -> str:
    """Return the id of an agent's cell: ``equivalence/gpt/LS/select-only``; what the paper left out says so first.

    Examples
    --------
    >>> cell_id("bert", Design("MTO", "reject-only"))
    'equivalence/biased/bert/MTO/reject-only'
    """
    first = "equivalence" if in_the_paper(design) else f"equivalence/{design.negatives}"
    return f"{first}/{agent}/{design.name}/{design.relation}"


def cells() -> list[Cell]:
    """Return a cell for each agent under each condition."""
    return [
        Cell(
            id=cell_id(name, design),
            run=agent,
            configs={preset: agents.config(name, design, preset) for preset in presets.PRESETS},
        )
        for name in agents.NAMES
        for design in designs()
    ]


INSTRUMENT = Instrument(name="equivalence", cells=cells)
