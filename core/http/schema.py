"""The parts of a view's OpenAPI description that the view's class declares."""

import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from ..errors import DbUnreachable, Overloaded, ServiceError

JSON = "application/json"

COMMON = (Overloaded, DbUnreachable)
"""The errors of every route that reads or writes the database."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SecurityScheme:
    """A way to send a credential. `definition` is the Security Scheme Object of OpenAPI."""

    name: str
    definition: Mapping[str, Any]


class AcceptedCredential(Protocol):
    """A kind of credential that a route accepts, instead of an access token or as the only one.

    `error` is the refusal of such a credential. `output` is a subclass of the route's output: the answer to the
    credential where an access token is accepted too.
    """

    error: type[ServiceError]
    scheme: SecurityScheme
    output: type[Any]


class ServiceSchema:
    """The attribute `schema` of a view class. On a view, its value is the `ViewDescription` of that view.

    `common` are the errors of the view's routes in addition to the errors that the operations declare. `credentials`
    are accepted, instead of an access token if the route takes one. An app may register an error or a credential after
    the view is imported.
    """

    def __init__(
        self,
        *,
        common: Iterable[type[ServiceError]] = COMMON,
        credentials: Iterable[AcceptedCredential] = (),
    ) -> None:
        self._common = common
        self._credentials = credentials

    def __get__(self, view: Any, owner: type) -> Any:
        return self._description.__get__(view, owner)

    @cached_property
    def _description(self) -> Any:
        from .description import ViewDescription  # noqa: PLC0415 - most processes never describe the API

        return ViewDescription(common=self._common, credentials=self._credentials)


def texts_of(view: Any, method: str) -> dict[str, str]:
    """Return the summary and the description of an operation.

    For a view with one operation, the summary is the first line of the view's docstring. For a view with several, the
    summary is the first line of the handler's docstring.
    """
    text = inspect.getdoc(getattr(view, view.operations[method].handler)) or ""
    if len(view.operations) == 1:
        summary = (inspect.getdoc(type(view)) or "").partition("\n")[0]
        return {"summary": summary.removesuffix("."), "description": text}
    summary, _, rest = text.partition("\n")
    return {"summary": summary.removesuffix("."), "description": rest.strip() or summary}
