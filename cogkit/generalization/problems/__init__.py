GENERATOR = 1  # raised when the same seed gives other items: results on old and new items are not compared
