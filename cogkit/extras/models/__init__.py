"""Language models: asked the items of any instrument, by an address, from a folder, or from a transcript."""
