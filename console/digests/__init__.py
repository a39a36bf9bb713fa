"""Digests: their recording on a schedule, and their history."""
