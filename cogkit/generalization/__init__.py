"""Generalization scored: GR* as published, and a calibrated definition.

The paper is "A unified metric of generalization across humans and machines" (anonymous, under review). Rooms, from the
bottom: ``suites`` (configs), ``problems`` (tasks), ``models`` (the six learners), ``references`` (floors and an
observer), ``scoring`` (from classifier to answers), ``relevance``, ``metric`` (the paper's formula), ``calibrated``
(components with intervals), ``training`` (a suite in place), ``sides`` and ``programme`` (the paper's statistics),
``stress`` (its curves), ``door`` (any scikit-learn classifier), ``adapters`` (other instruments' results),
``instrument`` (its cells), ``views`` (figures and widgets; import it by name).
"""
