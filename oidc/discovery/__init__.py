"""The documents by which clients find the endpoints."""
