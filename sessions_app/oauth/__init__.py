"""Logins by an identity at another provider: OpenID Connect, and the OAuth 2.0 of GitHub and Discord."""
