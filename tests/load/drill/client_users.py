"""Users of the client for Python. A failover must not sign them out."""

from gatehouse_client import Gatehouse, GatehouseError

from .people import OK, Person, Record

REFRESH = "refresh by the client"
PAUSE_SECONDS = 0.3


def keep_client_session(person: Person, *, base_url: str, record: Record) -> None:
    """Refresh by the client until the end of the drill. Then the session must still work."""
    person.sign_up()

    def lose() -> None:
        record.lose(f"{person.name}: the client was signed out")

    with Gatehouse(base_url, on_signed_out=lose) as client:
        client.login(person.email, person.password)
        token = client.access_token()
        while not record.over.is_set():
            try:
                token = client.access_token(refused=token)
                record.note(REFRESH, OK)
            except GatehouseError as error:
                record.note(REFRESH, error.code)
            record.over.wait(PAUSE_SECONDS)
        client.access_token(refused=token)
