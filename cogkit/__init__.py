"""cogkit: a workbench for abstraction in people and machines.

``import cogkit`` loads the standard library only; import the room you want from it::

    from cogkit import tiles
    from cogkit.tiles import views
"""

__version__ = "1.0.0"
