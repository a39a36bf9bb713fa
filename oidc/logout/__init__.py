"""Logouts: those that a client starts, and the logout tokens that clients get."""
