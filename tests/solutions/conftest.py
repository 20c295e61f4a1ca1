"""Keep pytest from importing the solutions: they run inside their notebooks."""

collect_ignore_glob = ["*.py"]
