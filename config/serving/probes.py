"""The probes of a process manager and of a proxy: whether the service runs, and whether it may get requests."""

from dataclasses import dataclass
from typing import Literal

from core.errors import DbUnreachable, Overloaded
from core.http.call import Call
from core.http.health import check_database
from core.http.view import Auth, ServiceView, operation

from . import processes


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """The result of a probe that succeeded."""

    status: Literal["ok"] = "ok"


class _Probe(ServiceView):
    """A probe. It needs no credentials and accepts any Host header, because a proxy may call it by an address."""

    auth = Auth.PUBLIC
    any_host = True
    unlimited = "The orchestrator and the proxy ask often, and callers share one check."
    schema = None


class Livez(_Probe):
    """Whether the service answers at all. A restart helps when it does not."""

    @operation(output=Passed)
    def get(self, call: Call) -> Passed:
        """Return `ok`. The call never uses the database, because no restart ends an outage of the database."""
        return Passed()


class Readyz(_Probe):
    """Whether a proxy may send requests to this instance."""

    @operation(output=Passed, errors=(DbUnreachable, Overloaded))
    def get(self, call: Call) -> Passed:
        """Return `ok` if the database answers and accepts writes. From SIGTERM on, raise Overloaded at once."""
        if processes.is_draining():
            raise Overloaded("This instance stops. Send requests to another instance.")
        check_database()
        return Passed()
