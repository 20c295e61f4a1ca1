"""Code that figures and widgets of several instruments share. Functions return figures and never show them."""
