"""An extra of somebody else's."""
