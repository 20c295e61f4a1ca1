"""What the widgets of two instruments share: how they are drawn, how they ask, and where unsaved answers go."""
