"""Code that figures and widgets of several instruments share. Functions return figures and never show them."""

from cogkit.core import memory

memory.after_every_cell()
