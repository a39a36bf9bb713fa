"""The room of the account's events."""
