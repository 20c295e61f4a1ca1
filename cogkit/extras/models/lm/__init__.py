"""Language models: how one is asked, what it replied, and where replies are kept."""
