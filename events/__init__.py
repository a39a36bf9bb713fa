"""Audit events, and their two outputs: webhooks and the redacted copy of the log."""
