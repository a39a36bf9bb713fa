"""`python -m tests.conformance.prepare SUITE_URL FILE` prepares a service for the conformance suite of the OpenID Foundation.

It makes a person with every standard claim, registers the clients of the suite, and writes the suite's configuration with
their secrets to the file. The variables of the environment are those of the service. docs/conformance.md has the steps.
"""

import json
import os
import secrets
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import django
from joserfc.jwk import RSAKey

TEMPLATE = Path(__file__).with_name("suite.json")
ALIAS = "gatehouse"
PROFILE = {
    "name": "Alice Example",
    "given_name": "Alice",
    "family_name": "Example",
    "middle_name": "M",
    "nickname": "al",
    "preferred_username": "alice",
    "profile": "https://alice.example.com/profile",
    "picture": "https://alice.example.com/picture.png",
    "website": "https://alice.example.com/",
    "gender": "female",
    "birthdate": "1985-04-12",
    "zoneinfo": "Europe/Berlin",
    "locale": "en-GB",
}
"""Every claim of the scope `profile`. The suite warns of each one that is missing."""


def prepare(*, suite: str, upstream: str) -> str:
    """Return the configuration for the suite at this URL. `upstream` is where the service listens without TLS."""
    from oidc.addresses import issuer  # noqa: PLC0415 - needs the settings

    email, password = f"conformance-{secrets.token_hex(4)}@example.com", secrets.token_urlsafe(16)
    values = {
        "EMAIL": email,
        "PASSWORD": password,
        "ALIAS": ALIAS,
        "ISSUER": issuer(),
        "SUITE": suite,
        "TLS_PORT": issuer().rpartition(":")[2],
        "UPSTREAM": upstream,
        **_register_clients(suite),
    }
    signing = _register_signing_clients(suite)
    _make_person(email, password)
    text = TEMPLATE.read_text()
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    for name, (client_id, keys) in signing.items():
        text = text.replace(f"{{{name}_ID}}", client_id).replace(f'"{{{name}_KEYS}}"', json.dumps(keys))
    return text


def _make_person(email: str, password: str) -> None:
    from accounts.acts.signup import create_without_password  # noqa: PLC0415 - needs the settings
    from accounts.host import users  # noqa: PLC0415 - needs the settings
    from accounts.management.users.each import NO_CLIENT  # noqa: PLC0415 - needs the settings
    from accounts.models import Account  # noqa: PLC0415 - needs the settings
    from accounts.passwords.hashing import hash_password  # noqa: PLC0415 - needs the settings
    from core.clock import now  # noqa: PLC0415 - needs the settings
    from core.db.transactions import write  # noqa: PLC0415 - needs the settings

    hashed = hash_password(password)

    @write
    def make() -> None:
        account = create_without_password(
            email=email, is_proven=True, is_mailed=False, metadata={}, client=NO_CLIENT, now=now()
        )
        users.set_password_hash(account_id=account.pk, password_hash=hashed)
        Account.objects.filter(pk=account.pk).update(metadata=PROFILE)

    make()


def _register_clients(suite: str) -> Mapping[str, str]:
    from core.clock import now  # noqa: PLC0415 - needs the settings
    from oidc.clients.registration import NewClient, register_client  # noqa: PLC0415 - needs the settings

    base = f"{suite}/test/a/{ALIAS}"
    values: dict[str, str] = {}
    for name in ("basic", "second", "post", "told"):
        new = NewClient(
            name=f"Conformance {name}",
            is_public=False,
            jwks=None,
            redirect_uris=[f"{base}/callback", f"{base}/callback?dummy1=lorem&dummy2=ipsum"],
            # The profile Basic is older than PKCE.
            needs_pkce=False,
            post_logout_uris=[f"{base}/post_logout_redirect"],
            # In any other plan than that of the back channel, a logout token is a failure.
            backchannel_logout_uri=f"{base}/backchannel_logout" if name == "told" else "",
        )
        made = register_client(new=new, now=now())
        values |= {f"{name.upper()}_ID": str(made.client.pk), f"{name.upper()}_SECRET": made.secret}
    return values


def _register_signing_clients(suite: str) -> Mapping[str, tuple[str, dict[str, Any]]]:
    """Return the ids of the clients of the profile FAPI 2.0, with their private keys."""
    from core.clock import now  # noqa: PLC0415 - needs the settings
    from oidc.clients.registration import NewClient, register_client  # noqa: PLC0415 - needs the settings

    base = f"{suite}/test/a/{ALIAS}"
    made: dict[str, tuple[str, dict[str, Any]]] = {}
    for name in ("SIGNING", "SIGNING_SECOND", "REFUSED", "REFUSED_SECOND"):
        key = RSAKey.generate_key(2048)
        told = {"kid": name.lower(), "use": "sig", "alg": "PS256"}
        new = NewClient(
            name=f"Conformance {name.lower()}",
            is_public=False,
            jwks={"keys": [{**key.as_dict(private=False), **told}]},
            redirect_uris=[f"{base}/callback", f"{base}/callback?dummy1=lorem&dummy2=ipsum"],
            needs_par=True,
            needs_dpop=True,
        )
        client = register_client(new=new, now=now()).client
        made[name] = str(client.pk), {"keys": [{**key.as_dict(private=True), **told}]}
    return made


def main(suite: str, file: Path, upstream: str = "http://127.0.0.1:18602") -> None:
    """Write the configuration to the file, which only its owner can read."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    file.touch(mode=0o600)
    file.write_text(prepare(suite=suite.rstrip("/"), upstream=upstream))
    sys.stdout.write(f"The configuration for the suite is in {file}.\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), *sys.argv[3:])
