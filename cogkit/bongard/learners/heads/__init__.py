"""Heads, one module each: from six pictures of each side and a query to two logits, the positive side first.

These are all heads of the paper (Nie et al. 2020, § 3.1 and appendix B), and one later head. Each head takes any batch
of episodes and scores every query independently.
"""
