"""Second factors: TOTP, passkeys, recovery codes."""
