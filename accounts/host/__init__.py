"""The users of the project, and their changes outside the service."""
