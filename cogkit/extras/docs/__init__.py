"""The documentation as static pages, which Sphinx makes of what stands elsewhere: in notebooks, docstrings and README.

``conf.py`` holds the settings, ``pages`` the frame; `build` adds the notebooks, the papers and the glossary.
"""
