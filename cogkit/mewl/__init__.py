"""Learning words from a few pictures with more than one reading (MEWL; Jiang et al. 2023, ICML; arXiv 2306.00503).

Rooms, from the bottom: ``things`` and ``words``; ``scenes`` and ``placing`` (what stands where); ``solids`` and
``geometry`` (what a camera sees of it, without a renderer); ``episodes`` (what is asked); ``drafts`` and ``tasks`` (how
each of the nine is made, solved exactly, and what leaks without looking); ``making`` (episodes by number, each with its
certificate); ``captions`` (the same in words).
"""
