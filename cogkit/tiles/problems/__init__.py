GENERATOR = 1  # increased when the same seed gives other items: results on old and new items are not comparable
