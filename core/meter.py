"""The meter, to which the service reports its work: requests, audit events and password hashes.

The standalone project installs a meter for Prometheus. By default the service reports to a meter that counts nothing.
"""


class Meter:
    """A meter that counts nothing."""

    def count_request(self, *, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answered request.

        `method` is a known method or `other`. `route` is the template of the route, or "" for an unknown path.
        """

    def count_event(self, *, type_: str) -> None:
        """Count an audit event of this type when the current transaction commits, or now when there is none."""

    def add_hashes(self, *, waiting: int = 0, running: int = 0) -> None:
        """Add to the numbers of password hashes that wait for a slot and that are being computed."""

    def count_refused_hash(self) -> None:
        """Count a password hash that was not computed, because too many others wait."""


current = Meter()
"""The meter of this process. Read it at each use, because `install` replaces it."""


def install(meter: Meter) -> None:
    """Let this process, and all processes that it forks later, report to the meter."""
    global current  # noqa: PLW0603 - the one place that replaces the meter
    current = meter
