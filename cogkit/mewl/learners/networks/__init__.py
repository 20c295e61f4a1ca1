"""Parts of the networks that learn words."""
