"""The registered clients: their data, their redirect URIs and their authentication."""
