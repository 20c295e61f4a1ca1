"""Datasets: written as files in their published layouts, with a card, and audited."""
