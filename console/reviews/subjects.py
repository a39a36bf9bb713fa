"""The subject of a list of flagged events: all of them, those from one network, or those about one user."""

from dataclasses import dataclass
from ipaddress import ip_network

from django.db.models import QuerySet

from events.models import Event
from events.networks import in_network_of, within


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Conditions on flagged events. None means no condition. `network` is in the form of `read_network`."""

    network: str | None = None
    user: str | None = None

    def narrow(self, rows: QuerySet[Event]) -> QuerySet[Event]:
        """Return the rows that meet the conditions. A network needs PostgreSQL."""
        if self.user is not None:
            rows = rows.filter(user_id=self.user)
        if self.network is not None:
            network = ip_network(self.network)
            rows = within(in_network_of(rows, network), network)
        return rows


EVERYTHING = Subject()
