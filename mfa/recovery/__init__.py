"""Recovery codes, and the recovery of an account without its factors."""
