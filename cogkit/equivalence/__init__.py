"""Stimulus equivalence by matching to sample (Carrillo & Betancort 2024, Future Internet 16(8): 289).

Rooms, from the bottom: ``problems`` (designs and trials), ``agents`` (what is trained, and how much), ``models`` (the
networks), ``references`` (floors and observers), ``scoring`` (from learner to number), ``training`` (learning in
place), ``instrument`` (its cells), ``views`` (figures and widgets; import it by name).
"""
