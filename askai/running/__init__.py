"""Runs plans, on the read-only database alone."""
