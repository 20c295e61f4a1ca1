"""Figures and widgets of the MEWL instrument."""
