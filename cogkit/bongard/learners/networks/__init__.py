"""Networks for pictures: the backbone of all learners, and the parts that pre-training adds."""
