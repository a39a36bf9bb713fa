"""Authenticator apps."""
