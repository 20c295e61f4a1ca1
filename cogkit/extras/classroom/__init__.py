"""A class: lessons to pack, hand-ins to collect, and a report about everyone."""
