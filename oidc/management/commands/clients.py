"""`manage.py clients`: registers the applications that sign people in here."""

from argparse import SUPPRESS, ArgumentParser, BooleanOptionalAction
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from core.clock import now, rfc3339
from core.commands import ServiceCommand

from ...addresses import address_of, issuer
from ...clients.changes import change_client
from ...clients.keys import read_key_set
from ...clients.registration import (
    ID_TOKEN_ALGORITHMS,
    OVERLAP,
    NewClient,
    deactivate_client,
    delete_client,
    get_client,
    list_clients,
    register_client,
    replace_keys,
    rotate_secret,
)
from ...errors import RegistrationRefused
from ...models import Client
from ...own_scopes import known_scopes
from ...scopes import OPENID

_FIELDS = {
    "name": "name",
    "redirect_uri": "redirect_uris",
    "scope": "scopes",
    "resource": "resources",
    "serves": "serves",
    "pkce": "needs_pkce",
    "par": "needs_par",
    "dpop": "needs_dpop",
    "devices": "may_use_devices",
    "first_party": "is_first_party",
    "id_token_alg": "id_token_algorithm",
    "post_logout_uri": "post_logout_uris",
    "backchannel_logout_uri": "backchannel_logout_uri",
}
"""The members of `NewClient` by their options. An option that the command line does not name is missing."""


class Command(ServiceCommand):
    """Registers, lists and ends the applications that sign people in here."""

    help = "Register the applications that sign people in here by OpenID."

    def add_arguments(self, parser: ArgumentParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        create = acts.add_parser("create", help="register a client, and print its secret; it is stored nowhere")
        create.add_argument("name", help="name of the application, as people know it")
        create.add_argument("--public", action="store_true", help="for an application that can keep no secret")
        create.add_argument(
            "--jwks", metavar="FILE", help="the application signs, in place of a secret: its public keys"
        )
        _add_options(create)
        change = acts.add_parser(
            "change", help="change a client; an option that is left out changes nothing, and a list is replaced"
        )
        change.add_argument("client_id")
        change.add_argument("--name", default=SUPPRESS, help="name of the application, as people know it")
        _add_options(change)
        acts.add_parser("list", help="list the clients")
        show = acts.add_parser("show", help="show a client, and the addresses that it needs")
        rotate = acts.add_parser("rotate", help="replace the secret or the keys of a client")
        rotate.add_argument("--now", action="store_true", help="the former secret stops working at once")
        rotate.add_argument("--jwks", metavar="FILE", help="the new public keys of a client that signs")
        deactivate = acts.add_parser("deactivate", help="let nobody sign in with a client, and end its sessions")
        delete = acts.add_parser("delete", help="end the sessions of a client and delete it, with all consents")
        for act in (show, rotate, deactivate, delete):
            act.add_argument("client_id")

    def handle(self, *args: Any, **options: Any) -> None:
        act = {
            "create": self.create,
            "change": self.change,
            "list": self.list,
            "show": self.show,
            "rotate": self.rotate,
            "deactivate": self.deactivate,
            "delete": self.delete,
        }[options["act"]]
        try:
            act(options)
        except RegistrationRefused as refused:
            raise CommandError(str(refused)) from None

    def create(self, options: dict[str, Any]) -> None:
        """Register a client and print what the application needs."""
        new = NewClient(is_public=options["public"], jwks=_read_keys(options["jwks"]), **_given(options))
        made = register_client(new=new, now=now())
        self.stdout.write(f"client_id      {made.client.pk}")
        if made.secret:
            self.stdout.write(f"client_secret  {made.secret}")
        self.stdout.write(f"issuer         {issuer()}")
        if made.secret:
            self.stdout.write("Copy the secret now, because it is not shown again.")

    def change(self, options: dict[str, Any]) -> None:
        """Change a client and print the options whose values differ from before."""
        client = get_client(options["client_id"])
        changed = change_client(client=client, changes=_given(options), now=now())
        names = {field: option.replace("_", "-") for option, field in _FIELDS.items()}
        self.stdout.write(f"Changed: {', '.join(names[field] for field in changed) or 'nothing'}.")

    def list(self, _: dict[str, Any]) -> None:
        """Print one line for each client."""
        for client in list_clients():
            self.stdout.write(f"{client.pk}  {_state_of(client):<11}  {client.authentication:<15}  {client.name}")
        if not list_clients():
            self.stdout.write("There are no clients. Register one by `clients create`.")

    def show(self, options: dict[str, Any]) -> None:
        """Print the data of a client, without its secret."""
        client = get_client(options["client_id"])
        keys = [str(key.get("kid", "without a kid")) for key in (client.jwks or {}).get("keys", ())]
        former = client.former_expires_at if client.former_digest else None
        lines = [
            ("client_id", str(client.pk)),
            ("name", client.name),
            ("state", _state_of(client)),
            ("authentication", client.authentication),
            *(("key", kid) for kid in keys),
            *([("former secret", f"works until {rfc3339(former)}")] if former and former > now() else []),
            *(("redirect URI", uri) for uri in client.redirect_uris),
            *(("after logout", uri) for uri in client.post_logout_uris or ()),
            *([("logout tokens", client.backchannel_logout_uri)] if client.backchannel_logout_uri else []),
            ("scopes", " ".join(client.scopes)),
            *([("ID tokens", client.id_token_algorithm)] if client.id_token_algorithm else []),
            *(("resource", uri) for uri in client.resources),
            *(("serves", uri) for uri in client.serves),
            ("PKCE", "required" if client.needs_pkce else "optional"),
            ("PAR", "required" if client.needs_par else "optional"),
            ("DPoP", "required" if client.needs_dpop else "optional"),
            ("devices", "permitted" if client.may_use_devices else "refused"),
            ("consent", "none: first party" if client.is_first_party else "asked once"),
            ("created", rfc3339(client.created_at)),
            ("issuer", issuer()),
            ("authorization", address_of("authorize")),
            ("token", address_of("token")),
            ("userinfo", address_of("userinfo")),
        ]
        for name, value in lines:
            self.stdout.write(f"{name:<15} {value}")

    def rotate(self, options: dict[str, Any]) -> None:
        """Replace the secret or the keys of a client."""
        client = get_client(options["client_id"])
        if options["jwks"]:
            replace_keys(client=client, jwks=_read_keys(options["jwks"]) or {}, now=now())
            self.stdout.write("The new keys work now. The former ones do not, unless the new set contains them.")
            return
        secret = rotate_secret(client=client, is_overlapping=not options["now"], now=now())
        self.stdout.write(f"client_secret  {secret}")
        hours = int(OVERLAP.total_seconds() // 3600)
        former = "no longer works" if options["now"] else f"works for {hours} more hours"
        self.stdout.write(f"Copy the secret now, because it is not shown again. The former one {former}.")

    def deactivate(self, options: dict[str, Any]) -> None:
        """Deactivate a client and end its sessions."""
        client = get_client(options["client_id"])
        ended = self._count(deactivate_client(client=client, now=now()))
        self.stdout.write(f"Deactivated {client.name}. Sessions ended: {ended}.")

    def delete(self, options: dict[str, Any]) -> None:
        """Delete a client and end its sessions."""
        client = get_client(options["client_id"])
        ended = self._count(delete_client(client=client, now=now()))
        self.stdout.write(f"Deleted {client.name}. Sessions ended: {ended}.")

    def _count(self, batches: Iterator[int]) -> int:
        """Return the sum of the batches, and print the progress to standard error."""
        ended = 0
        for batch in batches:
            ended += batch
            self.stderr.write(f"{ended} sessions ended")
        return ended


def _add_options(parser: ArgumentParser) -> None:
    """Add the options of a registration that can change later."""

    def add(*names: str, **options: Any) -> None:
        parser.add_argument(*names, default=SUPPRESS, **options)

    def add_addresses(name: str, text: str) -> None:
        add(name, action="append", metavar="URI", help=f"{text}; can be repeated")

    add_addresses(
        "--redirect-uri", "address to which the application's sign-in returns, exactly as the application sends it"
    )
    add(
        "--scope",
        action="append",
        choices=known_scopes(),
        help="a scope beside openid that it may ask for (default: all of OpenID, and none of OPENID_SCOPES)",
    )
    add_addresses("--resource", "a service for which it may get access tokens: their `aud`")
    add_addresses("--serves", "the client is this service, and may introspect the access tokens for it")
    for option, is_on, text in (
        ("--without-pkce", False, "for an older application that sends no PKCE"),
        ("--require-pkce", True, "refuse authorization requests without PKCE (default)"),
    ):
        add(option, dest="pkce", action="store_const", const=is_on, help=text)
    for name, text in (
        ("par", "refuse authorization requests that the application did not push"),
        ("dpop", "refuse requests for tokens that prove no key (DPoP)"),
    ):
        add(f"--require-{name}", dest=name, action=BooleanOptionalAction, help=text)
    add(
        "--devices",
        action=BooleanOptionalAction,
        help="let people sign in on devices without a browser, by a typed code",
    )
    add("--first-party", action=BooleanOptionalAction, help="ask nobody for consent: the application is yours")
    add(
        "--id-token-alg",
        choices=("", *ID_TOKEN_ALGORITHMS),
        help="algorithm of its ID tokens, for an application that accepts RS256 alone (default: that of access tokens)",
    )
    add_addresses("--post-logout-uri", "address to which a logout returns, exactly as the application sends it")
    add(
        "--backchannel-logout-uri",
        metavar="URI",
        help="address of the application that gets a logout token when a session ends",
    )


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members of `NewClient` that the command line names. A list with only "" in it is empty."""
    given = {field: options[option] for option, field in _FIELDS.items() if option in options}
    given = {name: [one for one in value if one] if isinstance(value, list) else value for name, value in given.items()}
    return {**given, "scopes": (OPENID, *given["scopes"])} if "scopes" in given else given


def _state_of(client: Client) -> str:
    return "active" if client.deactivated_at is None else "deactivated"


def _read_keys(path: str | None) -> dict[str, Any] | None:
    if path is None:
        return None
    try:
        return read_key_set(Path(path).read_text())
    except (OSError, ValueError) as error:
        raise CommandError(f"{path} cannot be read: {error}.") from None
