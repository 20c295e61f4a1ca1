"""Networks of your own: each file here is one, under the file's name, with a class ``Network``.

``Network(config)`` is a `learners.networks.Network`. Its ``forward(slots, words)`` gives the logits (n, 5) of the five
names: ``slots`` are (n, 7, things, numbers), the true ones, and ``words`` (n, 11, length) are the six names and the
five options. It can be trained, judged and swept as the slot transformer can.
"""
