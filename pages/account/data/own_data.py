"""The room of the person's own data, as a file. The file has the data of `GET /v1/account/export`."""

from collections.abc import Iterator
from itertools import chain, groupby
from operator import attrgetter

import orjson
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from accounts.acts.data_export import DataExport, export_all_data
from accounts.proofs.limits import by_account
from accounts.proofs.recent_login import needs_recent_login
from core.clock import rfc3339
from core.http.answers import dump
from core.http.call import Call
from core.http.view import operation
from core.ratelimit import Limit

from ..page import AccountPage


class OwnData(AccountPage):
    """The page of the file."""

    room = "authsvc-account-data"
    template = "authsvc_pages/account/own_data.html"

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the page."""
        self.require_recent(call)
        return self.render({})


class DownloadData(AccountPage):
    """The file. The export is an event of the account, so the page asks for it by a form."""

    @needs_recent_login
    @operation(output=HttpResponseBase, limits=(by_account(Limit.EXPORT),))
    def post(self, call: Call) -> HttpResponseBase:
        """Return the file as a stream, of which the memory holds one page of the export at a time."""
        pages = export_all_data(caller=call.signed_in, client=call.client, now=call.now)
        response = StreamingHttpResponse(_write_file(pages), content_type="application/json")
        response.headers["Content-Disposition"] = f'attachment; filename="account-{call.now:%Y-%m-%d}.json"'
        return response


def _write_file(pages: Iterator[DataExport]) -> Iterator[bytes]:
    """Yield the JSON of all pages as one export: the rows of each table together, and no cursor."""
    first = next(pages)
    head = {"user_id": first.user_id, "email": first.email, "exported_at": rfc3339(first.exported_at)}
    yield orjson.dumps(head)[:-1] + b',"tables":['
    tables = (table for page in chain([first], pages) for table in page.tables)
    for number, (name, parts) in enumerate(groupby(tables, key=attrgetter("name"))):
        yield (b"," if number else b"") + b'{"name":' + orjson.dumps(name) + b',"rows":['
        for place, rows in enumerate(filter(None, (b",".join(map(dump, part.rows)) for part in parts))):
            yield b"," + rows if place else rows
        yield b"]}"
    yield b"]}\n"
