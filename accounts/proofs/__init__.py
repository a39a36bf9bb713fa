"""Proofs of who a caller is, and the protection against guessed passwords."""
