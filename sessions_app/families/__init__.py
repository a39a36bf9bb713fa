"""Families of refresh tokens: one family is one session."""
