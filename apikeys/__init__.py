"""API keys for machines."""
