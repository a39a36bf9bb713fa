"""Import and export of users."""
