"""The page that leads from a text to the page of what it means."""

from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse
from rest_framework import serializers

from core.http.call import Call
from core.http.fields import Text
from core.http.view import operation

from ....trail.find import HITS_MAX, Hit, Kind, find
from ...page import ConsolePage

TEXT_MAX = 254


class FindQuery(serializers.Serializer[None]):
    """The text."""

    q = Text(max_length=TEXT_MAX, default="")


class Find(ConsolePage):
    """The search of anything."""

    template = "authsvc_console/find.html"

    @operation(query=FindQuery, output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Redirect to the page of the only hit. Otherwise show the hits, or what can be found."""
        text = call.query["q"].strip()
        hits = find(text=text, now=call.now) if text else []
        if len(hits) == 1:
            return self.redirect(_url_of(hits[0]))
        rows = [(hit, _url_of(hit)) for hit in hits]
        return self.render({"text": text, "rows": rows, "is_full": len(hits) == HITS_MAX})


def _url_of(hit: Hit) -> str:
    match hit.kind:
        case Kind.USER | Kind.EVENT | Kind.DELIVERY:
            return reverse(f"authsvc-console-{hit.kind}", args=[hit.key])
        case Kind.REQUEST:
            return f"{reverse('authsvc-console-logs')}?{urlencode({'request_id': hit.key})}"
        case Kind.IP | Kind.NETWORK:
            return f"{reverse('authsvc-console-events')}?{urlencode({str(hit.kind): hit.key})}"
