"""Networks that see: the backbone all learners share, and what is put on it in pre-training."""
