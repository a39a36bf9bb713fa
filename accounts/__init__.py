"""Accounts: the acts of their owners, proofs, state, passwords, and the users of a host project."""
