"""The redacted copy of the log, and its search."""
