"""The person whom a provider confirms after the service has redeemed a code."""

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote_plus

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import ECKey

from core.addresses import normalize_email

from ..models import ISSUER_MAX, PERSON_NAME_MAX, SUBJECT_MAX
from .codes import Code
from .conf import settings
from .connection import get_json, post_form, refusal, step
from .discovery import Metadata, get_metadata
from .id_tokens import verify_id_token
from .known import Api
from .providers import Provider

_APPLE_SECRET_SECONDS = 300
_GITHUB_HEADERS = {"X-GitHub-Api-Version": "2022-11-28"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A person at a provider. `issuer` and `subject` identify the person for ever.

    `email` is an address that the provider confirms as verified, in its stored form, or None. `is_trusted` states that
    this confirmation proves that the person reads the mailbox.
    """

    provider: str
    issuer: str
    subject: str
    email: str | None
    is_trusted: bool
    name: str


@step("user")
def redeem(code: Code, *, provider: Provider, now: datetime) -> Person:
    """Redeem the code at the provider, and return the person.

    Raises OauthFailed when the provider refuses the code, or when its answer fails a check. Raises OauthUnavailable when
    the provider does not answer.
    """
    return _READERS[provider.facts.api](code, provider, now)


def _read_openid(code: Code, provider: Provider, now: datetime) -> Person:
    metadata = get_metadata(provider, now=now)
    answer = _token_answer(code, provider, metadata.token_url, takes_basic=metadata.takes_basic, now=now)
    claims = verify_id_token(answer.get("id_token"), provider=provider, metadata=metadata, nonce=code.nonce, now=now)
    profile = _with_address(claims, answer, provider, metadata)
    email = _text(profile.get("email")) if _is_verified(profile, provider) else ""
    return _person(
        provider,
        issuer=claims["iss"],
        subject=claims["sub"],
        email=email,
        is_trusted=_is_trusted(provider, claims, email),
        name=profile.get("name") or claims.get("name"),
    )


def _with_address(
    claims: Mapping[str, Any], answer: Mapping[str, Any], provider: Provider, metadata: Metadata
) -> Mapping[str, Any]:
    """Return the claims that contain the address: those of the ID token, or else those of the userinfo endpoint.

    The address and the statement that it is verified come from the same answer.
    """
    token = answer.get("access_token")
    if "email" in claims or metadata.userinfo_url is None or not _text(token):
        return claims
    found = get_json(provider, metadata.userinfo_url, token=token)
    # OpenID Connect Core, section 5.3.2: the answer can belong to another person's access token.
    if not isinstance(found, dict) or found.get("sub") != claims["sub"]:
        raise refusal(provider, "the userinfo belongs to another person")
    return found


def _is_verified(profile: Mapping[str, Any], provider: Provider) -> bool:
    stated = profile.get(provider.facts.verified_claim)
    # True equals 1, but only some providers state a number.
    return any(type(stated) is type(value) and stated == value for value in provider.facts.verified_values)


def _is_trusted(provider: Provider, claims: Mapping[str, Any], email: str) -> bool:
    """Return whether the operator lets this issuer prove the address."""
    facts = provider.facts
    if claims["iss"] not in settings().trusted_email or not facts.may_prove_addresses:
        return False
    is_own = email.lower().endswith(f"@{facts.mailbox_domain}") or bool(_text(claims.get("hd")))
    return is_own or not facts.mailbox_domain


def _read_github(code: Code, provider: Provider, now: datetime) -> Person:
    api = "https://api.github.com" if provider.is_public else f"{provider.base_url}/api/v3"
    answer = _token_answer(code, provider, f"{provider.base_url}/login/oauth/access_token", takes_basic=False, now=now)
    token = _access_token(answer, provider)
    user = _object(get_json(provider, f"{api}/user", token=token, headers=_GITHUB_HEADERS), provider)
    addresses = get_json(provider, f"{api}/user/emails", token=token, headers=_GITHUB_HEADERS)
    primary = [
        address.get("email")
        for address in (addresses if isinstance(addresses, list) else [])
        if isinstance(address, dict) and address.get("primary") is True and address.get("verified") is True
    ]
    return _person(
        provider,
        issuer=provider.issuer,
        # The number never changes. The login name can have another owner tomorrow.
        subject=_number(user.get("id"), provider),
        email=_text(primary[0]) if primary else "",
        is_trusted=provider.issuer in settings().trusted_email,
        name=user.get("name") or user.get("login"),
    )


def _read_discord(code: Code, provider: Provider, now: datetime) -> Person:
    api = f"{provider.base_url}/api/v10"
    answer = _token_answer(code, provider, f"{api}/oauth2/token", takes_basic=False, now=now)
    token = _access_token(answer, provider)
    user = _object(get_json(provider, f"{api}/users/@me", token=token), provider)
    subject = user.get("id")
    if not isinstance(subject, str) or not subject.isdigit():
        raise refusal(provider, "the answer has no id")
    return _person(
        provider,
        issuer=provider.issuer,
        subject=subject,
        email=_text(user.get("email")) if user.get("verified") is True else "",
        is_trusted=provider.issuer in settings().trusted_email,
        name=user.get("global_name") or user.get("username"),
    )


_READERS: Mapping[Api, Callable[[Code, Provider, datetime], Person]] = {
    Api.OPENID_CONNECT: _read_openid,
    Api.GITHUB: _read_github,
    Api.DISCORD: _read_discord,
}


@step("token")
def _token_answer(code: Code, provider: Provider, url: str, *, takes_basic: bool, now: datetime) -> Mapping[str, Any]:
    form = {
        "grant_type": "authorization_code",
        "code": code.code,
        "redirect_uri": code.redirect_uri,
        "code_verifier": code.verifier,
    }
    headers = {}
    if takes_basic:
        # RFC 6749, section 2.3.1: both values are encoded as in a form.
        pair = f"{quote_plus(provider.client_id)}:{quote_plus(provider.client_secret)}"
        headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
    else:
        form |= {"client_id": provider.client_id, "client_secret": client_secret_of(provider, now=now)}
    answer = _object(post_form(provider, url, form, headers=headers), provider)
    if "error" in answer:  # GitHub answers 200 to a wrong code
        raise refusal(provider, "the provider refuses the code")
    return answer


def client_secret_of(provider: Provider, *, now: datetime) -> str:
    """Return the client secret to send. With `signs_secret`, it is a JWT that the configured key signs for this call."""
    if not provider.facts.signs_secret:
        return provider.client_secret
    issued_at = int(now.timestamp())
    claims = {
        "iss": provider.team_id,
        "iat": issued_at,
        "exp": issued_at + _APPLE_SECRET_SECONDS,
        "aud": provider.base_url,
        "sub": provider.client_id,
    }
    try:
        return jwt.encode({"alg": "ES256", "kid": provider.key_id}, claims, apple_key(provider), ["ES256"])
    except (JoseError, ValueError):
        raise refusal(provider, "the private key of the settings is not valid") from None


def apple_key(provider: Provider) -> ECKey:
    """Return the private key of the settings. Raises ValueError or JoseError when it is no key in PEM."""
    return ECKey.import_key(provider.client_secret.replace("\\n", "\n"))


def _person(provider: Provider, *, issuer: str, subject: str, email: str, is_trusted: bool, name: object) -> Person:
    # A text that a column cannot store, or would cut, must not become another person's identity.
    if not 0 < len(subject) <= SUBJECT_MAX or not subject.isprintable() or len(issuer) > ISSUER_MAX:
        raise refusal(provider, "the subject is not valid")
    address = normalize_email(email)
    return Person(
        provider=provider.name,
        issuer=issuer,
        subject=subject,
        email=address,
        # The stored form can be the address of another mailbox.
        is_trusted=is_trusted and address == email,
        name=clean_name(name),
    )


def clean_name(name: object) -> str:
    """Return the name as one line of printable characters, or ""."""
    line = " ".join(_text(name)[: 4 * PERSON_NAME_MAX].split())
    return "".join(character for character in line if character.isprintable())[:PERSON_NAME_MAX]


@step("token")
def apple_name(user: Mapping[str, Any]) -> str:
    """Return the name in the object that apple sends at the first login, or ""."""
    name = user.get("name")
    parts = [name.get(part) for part in ("firstName", "lastName")] if isinstance(name, dict) else []
    return " ".join(part for part in parts if isinstance(part, str))


def _access_token(answer: Mapping[str, Any], provider: Provider) -> str:
    token = _text(answer.get("access_token"))
    if not token:
        raise refusal(provider, "the answer contains no access token")
    return token


def _object(value: Any, provider: Provider) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise refusal(provider, "the answer is no JSON object")
    return value


def _number(value: Any, provider: Provider) -> str:
    if type(value) is not int:
        raise refusal(provider, "the answer has no id")
    return str(value)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
