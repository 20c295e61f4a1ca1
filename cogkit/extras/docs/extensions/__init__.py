"""Extensions of Sphinx: small changes of how it reads docstrings and writes pages."""
