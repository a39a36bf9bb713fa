"""The error for a hash that the service does not store."""


class RefusedHash(ValueError):
    """The hash is unknown, malformed or too costly. `reason` is one sentence or two, and contains no part of the hash."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
