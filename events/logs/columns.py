"""Parts of the fields of a stored line, as expressions of PostgreSQL.

The fields are the text of a JSON object. They are no column of the type jsonb, because jsonb refuses a text with the
character NUL, and a refused line would stop all later lines. A quotation mark inside a JSON text has a backslash before
it, so the patterns find only names of members.
"""

from typing import Any

from django.db.models import CharField, Func


class RequestIdOf(Func):
    """The id of the request that wrote the line, of its fields. NULL without one."""

    # The pattern is a constant of the statement. An index does not serve a pattern that is a parameter.
    template = """substring(%(expressions)s, '"request_id":"([A-Za-z0-9._-]+)"')"""
    arity = 1

    def __init__(self, *expressions: Any, **extra: Any) -> None:
        super().__init__(*expressions, output_field=CharField(), **extra)


class RouteOf(Func):
    """The route of the line of a request, of its fields. NULL for another line."""

    template = """substring(%(expressions)s, '"route":"([^"]*)"')"""
    arity = 1

    def __init__(self, *expressions: Any, **extra: Any) -> None:
        super().__init__(*expressions, output_field=CharField(), **extra)
