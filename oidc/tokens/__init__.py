"""The token endpoint: codes and refresh tokens become tokens of a client."""
