"""What `dev` and the tests use, and the service does not: the PostgreSQL of the development machine."""
