"""Work for the people who operate the service."""
