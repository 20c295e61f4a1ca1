"""What the figures of two instruments share. Figures are returned, never shown."""
