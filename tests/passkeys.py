"""The steps of a passkey ceremony, as a web page performs them."""

from typing import Any, Unpack

from .authenticator import Authenticator, Credential, FalseValues
from .client import Answer, Api
from .people import Person, SignedIn


def begin(session: SignedIn) -> dict[str, Any]:
    """Begin a registration. Return the options and the ceremony token."""
    data: dict[str, Any] = session.api.post("/v1/passkeys/register/begin", token=session.access).data
    return data


def finish(session: SignedIn, ceremony: dict[str, Any], credential: object, **others: object) -> Answer:
    """Finish the registration with the credential."""
    body = {"ceremony_token": ceremony["ceremony_token"], "credential": credential, **others}
    return session.api.post("/v1/passkeys/register/finish", body, token=session.access)


def register(
    session: SignedIn,
    authenticator: Authenticator,
    credential: Credential | None = None,
    **false_values: Unpack[FalseValues],
) -> Answer:
    """Register a passkey with both steps."""
    ceremony = begin(session)
    return finish(session, ceremony, authenticator.create(ceremony["public_key"], credential, **false_values))


def enroll(person: Person, authenticator: Authenticator) -> SignedIn:
    """Register a passkey for the person, which all logins then need. Return the session."""
    session = person.log_in()
    assert register(session, authenticator).status == 200
    return session


def begin_login(api: Api, pending: str) -> dict[str, Any]:
    """Begin to complete the login. Return the options and the ceremony token."""
    data: dict[str, Any] = api.post("/v1/login/passkey/begin", {"pending_token": pending}).data
    return data


def finish_login(api: Api, pending: str, ceremony: dict[str, Any], credential: object) -> Answer:
    """Finish the login with the credential."""
    body = {"pending_token": pending, "ceremony_token": ceremony["ceremony_token"], "credential": credential}
    return api.post("/v1/login/passkey/finish", body)


def begin_reauthentication(session: SignedIn) -> dict[str, Any]:
    """Begin a reauthentication. Return the options and the ceremony token."""
    data: dict[str, Any] = session.api.post("/v1/reauthenticate/passkey/begin", token=session.access).data
    return data


def complete(api: Api, pending: str, authenticator: Authenticator, **false_values: Unpack[FalseValues]) -> Answer:
    """Complete the pending login with both steps."""
    ceremony = begin_login(api, pending)
    return finish_login(api, pending, ceremony, authenticator.get(ceremony["public_key"], **false_values))


def begin_alone(api: Api) -> dict[str, Any]:
    """Begin a login with a passkey alone. Return the options and the ceremony token."""
    data: dict[str, Any] = api.post("/v1/passkey-login/begin", {}).data
    return data


def finish_alone(api: Api, ceremony: dict[str, Any], credential: object) -> Answer:
    """Finish the login with the credential alone."""
    body = {"ceremony_token": ceremony["ceremony_token"], "credential": credential}
    return api.post("/v1/passkey-login/finish", body)


def log_in_alone(api: Api, authenticator: Authenticator, **false_values: Unpack[FalseValues]) -> Answer:
    """Log in with a passkey alone, with both steps."""
    ceremony = begin_alone(api)
    return finish_alone(api, ceremony, authenticator.get(ceremony["public_key"], **false_values))
