"""The pages of a person's own account. Each module is one room, and each act is the domain call of the API."""
