"""Bongard-LOGO: concepts in pictures drawn by programs (Nie et al. 2020, NeurIPS 33; arXiv 2010.00763).

Rooms, from the bottom: ``programs`` and ``pictures``; ``geometry``, ``drawing`` and ``raster`` (how a
program looks); ``shapes`` and ``attributes`` (what is drawn, and its labels); ``freeform``, ``basic``, ``abstract`` and
``sets`` (what is asked); ``datasets`` (the same as files); ``rendering`` and ``showing`` (what a learner sees);
``agents``, ``networks``, ``heads`` and ``models`` (who learns); ``references`` and ``oracles`` (floors and observers);
``scoring`` (from learner to number); ``reported``, ``claims`` and ``people`` (what was published, and who sat down to
it); ``training``, ``pretraining`` and ``capability`` (learning in place); ``study`` (a person's sitting);
``instrument`` (its cells); ``views`` (figures and widgets; import it by name).
"""
