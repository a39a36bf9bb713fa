"""Proving it twice: TOTP, passkeys, recovery codes."""
