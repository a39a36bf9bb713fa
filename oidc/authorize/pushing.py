"""The endpoint to which clients push authorization requests (RFC 9126)."""

from django.http import HttpResponse

from core.http.call import Call
from core.http.limits import by_network
from core.http.view import operation
from core.ratelimit import Limit

from ..endpoint import Endpoint, json_answer
from .pushed import LIFETIME, push

_CREATED = 201


class PushRequest(Endpoint):
    """Stores an authorization request of a client that authenticates."""

    @operation(output=HttpResponse, limits=(by_network(Limit.PUSHED),))
    def post(self, call: Call) -> HttpResponse:
        """Return the `request_uri` that the client sends with the browser."""
        client = self.client_of(call.body, now=call.now)
        uri = push(client=client, form=call.body, key=call.client.key, now=call.now)
        return json_answer({"request_uri": uri, "expires_in": int(LIFETIME.total_seconds())}, status=_CREATED)
