"""The facts in which providers differ. Each known provider has one record, and no other module compares their names."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto

TENANT = "{tenantid}"
"""The part of an issuer in the metadata of a provider with `has_tenants`. A tenant's id replaces it in ID tokens."""


class Api(Enum):
    """The API by which a provider names the person who signed in."""

    OPENID_CONNECT = auto()
    GITHUB = auto()
    DISCORD = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The facts of a provider. The defaults are those of an OpenID Connect issuer that the service does not know.

    `issuer` is also the first part of its identities. `authorize_url` is its public authorization page, for the health
    report and for a provider without discovery. `verified_values` are the values of `verified_claim` that confirm the
    address. `may_prove_addresses` is false when an operator cannot trust the addresses of the provider. A provider with
    a `mailbox_domain` proves only addresses of this domain, and of the domains that the claim `hd` names. With
    `signs_secret`, the client secret of the settings is the private key that signs the secret to send. With
    `posts_answer`, the provider posts its answer to the service instead of redirecting to the application.
    """

    label: str = ""
    issuer: str = ""
    authorize_url: str = ""
    scopes: str = "openid email profile"
    api: Api = Api.OPENID_CONNECT
    has_tenants: bool = False
    verified_claim: str = "email_verified"
    verified_values: tuple[bool | int | str, ...] = (True,)
    may_prove_addresses: bool = True
    mailbox_domain: str = ""
    signs_secret: bool = False
    posts_answer: bool = False


KNOWN: Mapping[str, Facts] = {
    "google": Facts(
        label="Google",
        issuer="https://accounts.google.com",
        authorize_url="https://accounts.google.com/o/oauth2/v2/auth",
        # Google checks other addresses only once, when the person enters them. They can have another owner today.
        mailbox_domain="gmail.com",
    ),
    "github": Facts(
        label="GitHub",
        issuer="https://github.com",
        authorize_url="https://github.com/login/oauth/authorize",
        scopes="read:user user:email",
        api=Api.GITHUB,
    ),
    "microsoft": Facts(
        label="Microsoft",
        issuer="https://login.microsoftonline.com/common/v2.0",
        authorize_url="https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
        has_tenants=True,
        # An administrator of any tenant can set `email` to any address. This optional claim states that the tenant owns
        # the domain of the address.
        verified_claim="xms_edov",
        verified_values=(True, 1, "1", "true"),
        may_prove_addresses=False,
    ),
    "gitlab": Facts(
        label="GitLab",
        issuer="https://gitlab.com",
        authorize_url="https://gitlab.com/oauth/authorize",
    ),
    "discord": Facts(
        label="Discord",
        issuer="https://discord.com",
        authorize_url="https://discord.com/oauth2/authorize",
        scopes="identify email",
        api=Api.DISCORD,
    ),
    "apple": Facts(
        label="Apple",
        issuer="https://appleid.apple.com",
        authorize_url="https://appleid.apple.com/auth/authorize",
        scopes="openid email name",
        verified_values=(True, "true"),
        signs_secret=True,
        # Apple demands it for the scopes that contain the address.
        posts_answer=True,
    ),
}


def facts_of(name: str, *, issuer: str) -> Facts:
    """Return the facts of the provider with this name and configured issuer ("" for the public one).

    The mailboxes of a known issuer stay the same when the issuer is configured under another name.
    """
    facts = KNOWN.get(name, Facts())
    domains = [known.mailbox_domain for known in KNOWN.values() if known.issuer == issuer]
    return replace(facts, mailbox_domain=facts.mailbox_domain or "".join(domains))
