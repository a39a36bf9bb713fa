"""The account of one user: finding it, keeping it up to date, and the proofs that its rows keep."""
