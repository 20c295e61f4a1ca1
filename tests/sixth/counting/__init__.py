"""A sixth instrument, as a stranger would add it: one folder, and no edit elsewhere."""
