"""Attacks on passwords: their definition, the list of them, the report of one, and their groups in the review queue."""
