"""Logins, from the first proof to the tokens."""
