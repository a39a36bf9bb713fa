"""Changes of registered clients. Only a command calls them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from core.db.transactions import write

from ..models import Client
from .registration import NewClient, prepare, record_act


def change_client(*, client: Client, changes: Mapping[str, Any], now: datetime) -> Sequence[str]:
    """Store the changes, by the names of `NewClient`. Return the names of the columns that differ from before.

    Raises RegistrationRefused when the client would not be valid, and changes nothing. A list replaces the former one.

    Sessions go on. Each use of a grant leaves out the scopes and resources that the client has no longer. So a scope that
    was taken away works nowhere but in access tokens that another service verifies by itself, until they expire.
    """
    new = replace(_present(client), **changes)
    prepare(new, now=now)
    changed = {name: value for name, value in new.columns().items() if value != getattr(client, name)}
    if changed:
        _store(client, changed, now=now)
    return sorted(changed)


def _present(client: Client) -> NewClient:
    present = NewClient(name=client.name, is_public=client.is_public, jwks=client.jwks)
    values = {name: getattr(client, name) for name in present.columns()}
    return replace(present, **{**values, "post_logout_uris": client.post_logout_uris or ()})


@write
def _store(client: Client, changed: Mapping[str, Any], *, now: datetime) -> None:
    for name, value in changed.items():
        setattr(client, name, value)
    client.save(update_fields=list(changed))
    record_act("change", client, now=now, changed=sorted(changed))
