"""Studies as web pages, and what people answered in them."""
