"""A question about one's own sessions and events."""
