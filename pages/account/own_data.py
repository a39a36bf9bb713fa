"""The room of the person's own data, as a file. The file has the data of `GET /v1/account/export`."""

from collections.abc import Iterator

import orjson
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from accounts.acts.data_export import DataExport, export_data
from accounts.proofs.limits import by_account
from accounts.proofs.recent_login import needs_recent_login
from core.clock import rfc3339
from core.http.answers import dump
from core.http.call import Call
from core.http.view import operation
from core.ratelimit import Limit

from .page import AccountPage


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
        first = export_data(caller=call.signed_in, cursor=None, client=call.client, now=call.now)
        response = StreamingHttpResponse(_write_file(call, first), content_type="application/json")
        response.headers["Content-Disposition"] = f'attachment; filename="account-{call.now:%Y-%m-%d}.json"'
        return response


def _write_file(call: Call, page: DataExport) -> Iterator[bytes]:
    """Yield the JSON of all pages as one export: the rows of each table together, and no cursor."""
    head = {"user_id": page.user_id, "email": page.email, "exported_at": rfc3339(page.exported_at)}
    yield orjson.dumps(head)[:-1] + b',"tables":['
    open_table = ""
    separator = b""
    while True:
        for table in page.tables:
            if table.name != open_table:
                yield (b"]}," if open_table else b"") + b'{"name":' + orjson.dumps(table.name) + b',"rows":['
                open_table, separator = table.name, b""
            for row in table.rows:
                yield separator + dump(row)
                separator = b","
        if page.next_cursor is None:
            break
        page = export_data(caller=call.signed_in, cursor=page.next_cursor, client=call.client, now=call.now)
    yield (b"]}" if open_table else b"") + b"]}\n"
