"""Whether the database answers, said within three seconds whatever hangs."""

import threading
from concurrent.futures import Future

from django.db import DatabaseError, InterfaceError, connection
from rest_framework import serializers

from .errors import DbUnreachable
from .schema import ServiceSchema
from .view import Call, Caller, ServiceView, operation

DEADLINE_SECONDS = 2.5


class _Probe:
    """At most one probe runs in a process; callers that come meanwhile wait for the same one.

    A database that hangs holds up one thread, not one for every question about its health.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: Future[None] | None = None

    def ask(self) -> None:
        """Return when the database answered. Raises DbUnreachable when it fails or takes too long."""
        with self._lock:
            if self._running is None or self._running.done():
                self._running = Future()
                threading.Thread(target=_select_one, args=(self._running,), daemon=True).start()
            running = self._running
        try:
            running.result(timeout=DEADLINE_SECONDS)
        except (DatabaseError, InterfaceError, TimeoutError):
            raise DbUnreachable from None


def _select_one(outcome: Future[None]) -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Exception as error:  # noqa: BLE001 - handed over to whoever asked
        outcome.set_exception(error)
    else:
        outcome.set_result(None)
    finally:
        connection.close()


_probe = _Probe()


class HealthOutput(serializers.Serializer[None]):
    """`ok`."""

    status = serializers.CharField()


class Health(ServiceView):
    """Tell whether the service can do its work."""

    caller = Caller.PUBLIC
    any_host = True
    edge_limited = False
    schema = ServiceSchema(common=())

    @operation(output=HealthOutput, errors=(DbUnreachable,))
    def get(self, call: Call) -> dict[str, str]:
        """Answer `ok` when the database answers, under any Host, within three seconds."""
        _probe.ask()
        return {"status": "ok"}
