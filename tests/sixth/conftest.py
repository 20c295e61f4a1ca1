"""Keep pytest from collecting the sample instrument as tests."""

collect_ignore_glob = ["*.py", "counting/*.py"]
