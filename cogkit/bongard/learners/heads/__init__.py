"""What decides, one module a head: from six pictures of each side and a query to two logits, the positive side first.

All heads of the paper (Nie et al. 2020, § 3.1 and appendix B), and one later. Each is right for any batch of episodes,
and scores every query alone.
"""
