"""Flagged events, and the reviews of operators on them."""
