"""Pages of figures: the overview, attacks, methods, digests and advice."""
