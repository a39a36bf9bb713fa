"""The registration of clients. Only a command calls it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from accounts.management.users.each import record_command
from core.db.ids import parse_id
from core.db.transactions import write
from core.keys.opaque import new_token
from core.keys.ring import ensure_rs256_key
from core.keys.signing_keys import RS256

from ..errors import RegistrationRefused
from ..grants import end_grants_of_client
from ..models import NAME_MAX, SCOPE_MAX, Authentication, Client
from ..own_scopes import known_scopes
from ..resources import RESOURCES_MAX, check_resource
from ..scopes import OPENID, SCOPES
from .redirects import check_backchannel_uri, check_redirect_uri

SECRET_PREFIX = "ocs_"  # noqa: S105 - the beginning of secrets
OVERLAP = timedelta(hours=24)
"""How long the former secret of a client works after a rotation."""

URIS_MAX = 20
_LISTS = ("redirect_uris", "resources", "serves", "post_logout_uris")

ID_TOKEN_ALGORITHMS = (RS256,)
"""The algorithms of ID tokens that a client can demand, beside that of access tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewClient:
    """The data of a client to register. Its keys come from `read_key_set`, or are None."""

    name: str
    is_public: bool
    jwks: Mapping[str, Any] | None
    redirect_uris: Sequence[str] = ()
    scopes: Sequence[str] = SCOPES
    resources: Sequence[str] = ()
    serves: Sequence[str] = ()
    needs_pkce: bool = True
    needs_par: bool = False
    needs_dpop: bool = False
    may_use_devices: bool = False
    is_first_party: bool = False
    id_token_algorithm: str = ""
    post_logout_uris: Sequence[str] = ()
    backchannel_logout_uri: str = ""

    @property
    def authentication(self) -> Authentication:
        """The way in which the client authenticates."""
        if self.is_public:
            return Authentication.NONE
        return Authentication.SECRET if self.jwks is None else Authentication.PRIVATE_KEY

    def columns(self) -> dict[str, Any]:
        """Return the columns that a command can also change later."""
        given = {name: value for name, value in asdict(self).items() if name not in ("is_public", "jwks")}
        lists = {name: list(dict.fromkeys(given[name])) for name in _LISTS}
        scopes = [scope for scope in known_scopes() if scope in self.scopes]
        return {**given, **lists, "scopes": scopes, "post_logout_uris": lists["post_logout_uris"] or None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """A client with its secret, which is stored nowhere. A client without a secret has ""."""

    client: Client
    secret: str


def register_client(*, new: NewClient, now: datetime) -> Registered:
    """Store the client. Raises RegistrationRefused when its data are not valid. Opens its own transaction."""
    prepare(new, now=now)
    return _store(new, now=now)


def prepare(new: NewClient, *, now: datetime) -> None:
    """Check the data, and make the key of the ID tokens. Raises RegistrationRefused when the data are not valid."""
    if not 1 <= len(new.name) <= NAME_MAX or not new.name.isprintable() or new.name != new.name.strip():
        raise RegistrationRefused(f"The name must have 1 to {NAME_MAX} printable characters, and no blank at its ends.")
    if not new.redirect_uris and not new.serves and not new.may_use_devices:
        raise RegistrationRefused("A client needs a redirect URI, unless it is for devices or serves a resource.")
    if max(len(new.redirect_uris), len(new.post_logout_uris)) > URIS_MAX:
        raise RegistrationRefused(
            f"A client can have {URIS_MAX} redirect URIs and {URIS_MAX} addresses after a logout."
        )
    for uri in (*new.redirect_uris, *new.post_logout_uris):
        check_redirect_uri(uri, is_public=new.is_public)
    if new.backchannel_logout_uri:
        check_backchannel_uri(new.backchannel_logout_uri)
    if new.is_public and not new.needs_pkce:
        raise RegistrationRefused("A public client always needs PKCE. Anyone could use its codes otherwise.")
    if new.is_public and (new.jwks is not None or new.serves):
        raise RegistrationRefused(
            "A public client has no keys and serves no resource. Leave out one of the two options."
        )
    _check_access(new)
    if new.id_token_algorithm:
        # The services that cache the key set then know the key before the first sign-in.
        ensure_rs256_key(now=now)


@write
def _store(new: NewClient, *, now: datetime) -> Registered:
    secret = new_token(prefix=SECRET_PREFIX) if new.authentication is Authentication.SECRET else None
    client = Client.objects.create(
        **new.columns(),
        authentication=new.authentication,
        secret_digest=secret.digest if secret else None,
        jwks=new.jwks,
        created_at=now,
    )
    record_act("create", client, now=now)
    return Registered(client=client, secret=secret.raw if secret else "")


def _check_access(new: NewClient) -> None:
    """Raise RegistrationRefused when the client cannot have its scopes or its resources."""
    if OPENID not in new.scopes:
        raise RegistrationRefused("A client needs the scope openid.")
    if len(" ".join(new.columns()["scopes"])) > SCOPE_MAX:
        raise RegistrationRefused(f"The names of a client's scopes have at most {SCOPE_MAX} characters together.")
    if max(len(new.resources), len(new.serves)) > RESOURCES_MAX:
        raise RegistrationRefused(
            f"A client has at most {RESOURCES_MAX} resources, and serves at most {RESOURCES_MAX}."
        )
    for resource in (*new.resources, *new.serves):
        check_resource(resource)


def get_client(client_id: str) -> Client:
    """Return the client, deactivated or not. Raises RegistrationRefused when no client has the id."""
    key = parse_id(client_id)
    client = Client.objects.filter(pk=key).first() if key else None
    if client is None:
        raise RegistrationRefused(f"There is no client {client_id}. `clients list` names the clients.")
    return client


def list_clients() -> Sequence[Client]:
    """Return all clients, the newest first."""
    return list(Client.objects.order_by("-created_at", "-pk"))


@write
def rotate_secret(*, client: Client, is_overlapping: bool, now: datetime) -> str:
    """Give the client a new secret, and return it. The former one works for OVERLAP unless `is_overlapping` is false.

    Raises RegistrationRefused when the client has no secret. Opens its own transaction.
    """
    if client.authentication != Authentication.SECRET:
        raise RegistrationRefused("This client has no secret. Replace the keys of a client by `rotate ID --jwks FILE`.")
    secret = new_token(prefix=SECRET_PREFIX)
    client.former_digest = client.secret_digest if is_overlapping else None
    client.former_expires_at = now + OVERLAP if is_overlapping else None
    client.secret_digest = secret.digest
    client.save(update_fields=["former_digest", "former_expires_at", "secret_digest"])
    record_act("rotate", client, now=now)
    return secret.raw


@write
def replace_keys(*, client: Client, jwks: Mapping[str, Any], now: datetime) -> None:
    """Store the new public keys. The former ones stop working at once. Opens its own transaction.

    Raises RegistrationRefused when the client does not sign. A set can contain the former key too, for an overlap.
    """
    if client.authentication != Authentication.PRIVATE_KEY:
        raise RegistrationRefused("This client has no keys. Replace its secret by `rotate ID`.")
    client.jwks = dict(jwks)
    client.save(update_fields=["jwks"])
    record_act("rotate", client, now=now)


def deactivate_client(*, client: Client, now: datetime) -> Iterator[int]:
    """Let nobody sign in with the client, and end its sessions. Yields as `end_grants_of_client` does."""
    _deactivate(client, now=now)
    yield from end_grants_of_client(client)


def delete_client(*, client: Client, now: datetime) -> Iterator[int]:
    """End the client's sessions and delete it with all consents. Yields as `end_grants_of_client` does."""
    yield from deactivate_client(client=client, now=now)
    _delete(client, now=now)


@write
def _deactivate(client: Client, *, now: datetime) -> None:
    if Client.objects.active().filter(pk=client.pk).update(deactivated_at=now):
        record_act("deactivate", client, now=now)


@write
def _delete(client: Client, *, now: datetime) -> None:
    record_act("delete", client, now=now)
    client.delete()


def record_act(act: str, client: Client, *, now: datetime, **metadata: Any) -> None:
    """Record the command. Needs a transaction."""
    known = {"client_id": str(client.pk), "client_name": client.name}
    record_command(f"clients {act}", user_id=None, now=now, **known, **metadata)
