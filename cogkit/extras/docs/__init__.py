"""The documentation as static pages, which Sphinx makes of what stands elsewhere: in notebooks, docstrings and README.

Each module makes the pages of one kind as Markdown (`outline.Page`), and `build` hands them to Sphinx.
"""
