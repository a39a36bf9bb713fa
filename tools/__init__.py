"""Tools for `dev` and the tests: a PostgreSQL server for development. The service itself does not use them."""
