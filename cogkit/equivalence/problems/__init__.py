GENERATOR = 1  # increased when a seed gives other items: results on old and new items are not compared
