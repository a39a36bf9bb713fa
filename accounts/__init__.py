"""Accounts, passwords, lockout, mail tokens and metadata. The package `core` holds the code that all apps share."""
