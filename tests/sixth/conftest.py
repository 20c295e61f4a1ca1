"""Keep pytest from collecting the sample package as tests."""

collect_ignore_glob = ["*.py", "*/*.py", "*/*/*.py"]
