"""Routes of the clients of the OpenID provider. None of them changes a row."""

from core.errors import NotFound
from core.http.call import Call
from core.http.view import operation

from ..applications.registered import (
    ClientSessions,
    RegisteredClients,
    get_registered_client,
    list_registered_clients,
)
from ..serializers import LimitQuery
from .base import AdminView


class ListClients(AdminView):
    """List the clients of the OpenID provider."""

    @operation(query=LimitQuery, output=RegisteredClients)
    def get(self, call: Call) -> RegisteredClients:
        """Return the applications that `manage.py clients` registered, the newest first, with their sessions counted."""
        return list_registered_clients(limit=call.query["limit"], now=call.now)


class GetClient(AdminView):
    """Show a client of the OpenID provider."""

    @operation(query=LimitQuery, output=ClientSessions, errors=(NotFound,))
    def get(self, call: Call) -> ClientSessions:
        """Return the client with its newest live sessions. `limit` bounds the sessions."""
        return get_registered_client(client_id=call.path["client_id"], limit=call.query["limit"], now=call.now)
