"""Networks of your own: each file here is one, under the file's name, with a class ``Head``.

It is a `heads.head.Head` and needs no arguments: ``forward(support, query)`` gives the logits of each query from the
features that the backbone computes. It can be trained, judged and swept as ProtoNet can, with the same settings.
"""
