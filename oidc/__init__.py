"""The OpenID provider: other applications sign people in here."""
