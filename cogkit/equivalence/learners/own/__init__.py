"""Networks of your own: each file here is one, under the file's name, with a class ``Network``.

``Network(tokens, config)`` is a module as `learners.networks` describes it, for so many tokens: it has ``loss``,
``answers`` and ``choices``. It can be trained, judged and swept as the feed-forward net can.
"""
