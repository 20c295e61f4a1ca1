"""Tile revealing and task metamers (Kumar et al. 2023, PLoS Computational Biology 19(8): e1011316).

Rooms, from the bottom: ``boards`` and ``game``, ``rules``, ``metamers`` and ``problems`` (what is asked), ``orders``
and ``diagnostics`` (how good metamers are), ``agents`` and ``models`` (who learns), ``references`` (floors and the
ideal observer), ``people`` (the published people and agents), ``scoring`` (from player to number), ``training``
(learning in place), ``environments`` (gymnasium), ``instrument`` (its cells), ``views`` (figures and widgets; import
it by name).
"""

import gymnasium

if "cogkit/Tiles-v0" not in gymnasium.registry:
    gymnasium.register(
        "cogkit/Tiles-v0",
        entry_point="cogkit.tiles.problems.environments:TilesEnv",
        vector_entry_point="cogkit.tiles.problems.environments:TilesVectorEnv",
    )
