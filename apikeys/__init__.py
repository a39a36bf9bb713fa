"""Keys for machines."""
