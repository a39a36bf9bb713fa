"""The applications with access to an account: the list for its owner, and the end of an access."""
