GENERATOR = 1  # raised when the same seed gives other items, so that results on old and new items are not compared
