"""Second factors of a person, computed without the service's own code."""

import base64
import hmac
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import parse_qs, urlsplit

from core.clock import now

from .client import Answer, Api
from .mails import delivered, token_in
from .people import Person, SignedIn

STEP_SECONDS = 30


@dataclass(frozen=True)
class App:
    """An authenticator app with a secret (RFC 6238: SHA-1, six digits, thirty seconds)."""

    secret: str

    def code(self, *, steps: int = 0, at: datetime | None = None) -> str:
        """Return the code at the time, moved by a number of steps. The default time is now."""
        return code_of(self.secret, step=int((at or now()).timestamp()) // STEP_SECONDS + steps)

    def wrong_code(self) -> str:
        """Return six digits that differ from the codes of now and of the nearby steps."""
        shown = {self.code(steps=steps) for steps in range(-3, 4)}
        return next(code for code in (f"{number:06d}" for number in range(10)) if code not in shown)


def code_of(secret: str, *, step: int) -> str:
    """Return the code of a time step under a secret in base32 (RFC 4226, section 5.3)."""
    digest = hmac.digest(base64.b32decode(secret), step.to_bytes(8, "big"), "sha1")
    offset = digest[-1] & 15
    return f"{(int.from_bytes(digest[offset : offset + 4], 'big') & 0x7FFFFFFF) % 1_000_000:06d}"


def app_of(otpauth_url: str) -> App:
    """Return the app for the secret in the URL."""
    (secret,) = parse_qs(urlsplit(otpauth_url).query)["secret"]
    return App(secret)


def begin_totp(session: SignedIn) -> App:
    """Enroll an app without a confirmation."""
    return app_of(session.api.post("/v1/totp/enroll", token=session.access).data["otpauth_url"])


def enroll_totp(session: SignedIn) -> App:
    """Enroll and confirm an app. Every later login needs a code of the app."""
    app = begin_totp(session)
    confirmed = session.api.post("/v1/totp/confirm", {"code": app.code()}, token=session.access)
    assert confirmed.data == {"status": "totp enabled"}
    return app


def generate_codes(session: SignedIn) -> list[str]:
    """Return ten new recovery codes."""
    codes: list[str] = session.api.post("/v1/recovery-codes/generate", token=session.access).data["codes"]
    return codes


def pause(person: Person, api: Api | None = None) -> str:
    """Log in by password and return the pending token."""
    body = {"email": person.email, "password": person.password}
    paused = (api or person.api).post("/v1/login", body).data
    assert paused["second_factor_required"] is True
    token: str = paused["pending_token"]
    return token


def pause_by_link(person: Person) -> str:
    """Log in by a mailed link, which a lock does not prevent. Return the pending token."""
    person.api.post("/v1/magic-link/request", {"email": person.email})
    body = {"token": token_in(delivered(person.email)[-1])}
    token: str = person.api.post("/v1/magic-link/complete", body).data["pending_token"]
    return token


def lock(person: Person) -> None:
    """Send wrong passwords until the account is locked."""
    for _ in range(5):
        person.api.post("/v1/login", {"email": person.email, "password": "not the password"})
    assert person.account().locked_until


def complete_by_totp(api: Api, pending_token: str, code: str) -> Answer:
    """Complete the login by a code of the app."""
    return api.post("/v1/login/totp", {"pending_token": pending_token, "code": code})


def complete_by_recovery_code(api: Api, pending_token: str, code: str) -> Answer:
    """Complete the login by a recovery code."""
    return api.post("/v1/login/recovery-code", {"pending_token": pending_token, "code": code})
