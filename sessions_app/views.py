"""Routes of the sessions app."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from django.http import HttpRequest

from accounts.errors import (
    AccountDeactivated,
    AccountLocked,
    EmailNotVerified,
    InvalidCredentials,
    PasswordBreached,
    PasswordPolicyViolation,
    PasswordResetRequired,
    SignupClosed,
    VerificationTokenExpired,
    VerificationTokenInvalid,
)
from accounts.serializers import MailTokenInput
from accounts.state.mail_tokens import MAILED_TOKEN
from core.errors import DbUnreachable, NotFound, ServiceError
from core.http.answers import Status
from core.http.call import Call
from core.http.limits import CountedByAct, EdgeAlone, by_network
from core.http.request_headers import RequestHeader
from core.http.schema import COMMON, ServiceSchema
from core.http.view import Auth, ServiceView, operation
from core.keys.jwt import Caller
from core.ratelimit import Limit
from events.vocabulary import EventType
from mail.compose import is_mail_on
from mail.limits import LINK_REQUEST_LIMITS

from .errors import InvalidLoginCode, InvalidToken, MagicLinkNotConfigured, SessionNotOwned, TokenReused
from .families.ended_sessions import Revocations, list_revocations
from .families.issuing import TokenPair
from .families.own_session import get_own_session
from .families.queries import Session, list_sessions
from .families.revocation import end_all_sessions, end_session
from .families.rotation import rotate
from .logins.code_logins import CODE_LIMITS, log_in_by_code
from .logins.invitations import accept_invitation
from .logins.login import PASSWORD_LOGIN_LIMITS, LoginAnswer, log_in
from .logins.machines import MachineCaller, MachineCredential, Verified, machine_credentials
from .logins.magic_links import complete_magic_link, request_magic_link
from .logins.profile import Profile, get_profile
from .logins.reauthentication import REAUTHENTICATION_LIMITS, reauthenticate
from .logins.second_factors import ProofReader, proof_readers
from .serializers import (
    AcceptInvitationInput,
    LoginCodeInput,
    LoginInput,
    LogoutInput,
    MagicLinkInput,
    ReauthenticateInput,
    RefreshInput,
    RevocationsQuery,
)

REVOCATIONS_SCOPE = "revocations:read"
"""The only scope that a route of the service demands. Host projects define all others."""


class VerifyCredential(ServiceView):
    """Verify an access token or an API key."""

    unlimited = "Services verify the token of each request, often all from one address."
    schema = ServiceSchema(common=(), credentials=machine_credentials)

    def authenticate(self, request: HttpRequest, *, now: datetime) -> Caller | None:
        """Return the caller by the machine credential in the request, or else by the access token."""
        for credential in machine_credentials:
            caller = credential.find_caller(request=request, now=now)
            if caller is not None:
                return caller
        return super().authenticate(request, now=now)

    @operation(output=Verified, errors=(DbUnreachable,))
    def get(self, call: Call) -> Verified:
        """Return the id of the account that owns the access token.

        The check reads only the token, so it also accepts a token of a session that has ended. You can send an API key
        instead, in the header `X-API-Key` or as the bearer token. A revoked API key is refused.
        """
        caller = call.signed_in
        return caller.answer if isinstance(caller, MachineCaller) else Verified(user_id=caller.user_id)


IDEMPOTENCY_KEY = RequestHeader(
    name="Idempotency-Key",
    pattern="[A-Za-z0-9_-]{22,64}",
    rule="have 22 to 64 characters, each a letter, a digit, `-` or `_`",
    description="A random value that the client makes anew for each refresh, such as 16 random bytes in base64url. When "
    "no answer arrived, the client repeats the same request with the same key. For five minutes it then gets a new pair "
    "of tokens, unless a refresh already used the pair of the lost answer.",
    example="x3F8sPlC0mZ7QHkWnVbR2g",
)


class RefreshTokens(ServiceView):
    """Refresh the tokens."""

    auth = Auth.PUBLIC

    @operation(
        input=RefreshInput,
        header=IDEMPOTENCY_KEY,
        output=TokenPair,
        errors=(InvalidToken, TokenReused),
        limits=(CountedByAct(Limit.REFRESH),),
    )
    def post(self, call: Call) -> TokenPair:
        """Exchange the newest refresh token of a session for a new pair of tokens.

        Never use a refresh token twice: the second use ends the session. The one exception is a repeated request with
        the same `Idempotency-Key`, after an answer was lost.
        """
        return rotate(
            refresh_token=call.body["refresh_token"], idempotency_key=call.header, client=call.client, now=call.now
        )


class LogIn(ServiceView):
    """Log in with a password."""

    auth = Auth.PUBLIC

    @operation(
        input=LoginInput,
        output=LoginAnswer,
        errors=(InvalidCredentials, AccountLocked, AccountDeactivated, PasswordResetRequired, EmailNotVerified),
        limits=PASSWORD_LOGIN_LIMITS,
    )
    def post(self, call: Call) -> LoginAnswer:
        """Answer a token pair or, when the account has a second factor, a pending token and the methods."""
        return log_in(**call.body, client=call.client, now=call.now)


class _MagicLinkView(ServiceView):
    """A public route of magic links. It exists only while mail is on."""

    auth = Auth.PUBLIC

    def check_feature(self) -> None:
        """Raise MagicLinkNotConfigured while mail is off."""
        if not is_mail_on():
            raise MagicLinkNotConfigured


@dataclass(frozen=True, slots=True, kw_only=True)
class Empty:
    """An empty object. It is the same for every request."""

    example: ClassVar[Mapping[str, str]] = {}


class RequestMagicLink(_MagicLinkView):
    """Request a magic link."""

    @operation(
        input=MagicLinkInput,
        output=Empty,
        errors=(MagicLinkNotConfigured,),
        limits=LINK_REQUEST_LIMITS,
    )
    def post(self, call: Call) -> Empty:
        """Send a login link to this address if an account has the address. The answer is the same in both cases."""
        request_magic_link(**call.body, client=call.client, now=call.now)
        return Empty()


class CompleteMagicLink(_MagicLinkView):
    """Log in with a magic link."""

    @operation(
        input=MailTokenInput,
        output=LoginAnswer,
        errors=(VerificationTokenInvalid, VerificationTokenExpired, MagicLinkNotConfigured),
        limits=MAILED_TOKEN,
    )
    def post(self, call: Call) -> LoginAnswer:
        """Answer a token pair or, when the account has a second factor, a pending token and the methods."""
        return complete_magic_link(token=call.body["token"], client=call.client, now=call.now)


class CompleteMagicLinkCode(_MagicLinkView):
    """Log in with the code of a magic link."""

    @operation(
        input=LoginCodeInput,
        output=LoginAnswer,
        errors=(InvalidLoginCode, MagicLinkNotConfigured),
        limits=CODE_LIMITS,
    )
    def post(self, call: Call) -> LoginAnswer:
        """Log in on another device than the one that opens the mail. The code and its link work once together.

        Answer a token pair or, when the account has a second factor, a pending token and the methods. Only the code of
        the newest mail works, for five tries. The answer to a wrong code does not show whether the address is known.
        """
        return log_in_by_code(**call.body, client=call.client, now=call.now)


class AcceptInvitation(ServiceView):
    """Accept an invitation."""

    auth = Auth.PUBLIC

    @operation(
        input=AcceptInvitationInput,
        output=TokenPair,
        status=201,
        errors=(
            SignupClosed,
            VerificationTokenInvalid,
            VerificationTokenExpired,
            PasswordPolicyViolation,
            PasswordBreached,
        ),
        limits=(by_network(Limit.SIGNUP),),
    )
    def post(self, call: Call) -> TokenPair:
        """Make the account of the mailed address, and answer the tokens of its first session. The address is proven.

        A refused password keeps the token. Without a password, register a passkey with the new session: it counts as a
        recent login.
        """
        return accept_invitation(**call.body, client=call.client, now=call.now)


class GetProfile(ServiceView):
    """Show the caller's own account."""

    @operation(output=Profile)
    def get(self, call: Call) -> Profile:
        """Return the id, the address, the second factors and the time of the sign-up.

        The access token also counts after its session has ended, until it expires. A deleted account answers 401.
        """
        return get_profile(user_id=call.user_id)


class ListSessions(ServiceView):
    """List the caller's sessions."""

    @operation(output=list[Session])
    def get(self, call: Call) -> list[Session]:
        """Return the sessions that have not ended. The newest login comes first. `current` marks the caller's session."""
        return list_sessions(caller=call.signed_in, now=call.now)


class GetSession(ServiceView):
    """Show the caller's own session."""

    @operation(output=Session, limits=EdgeAlone("One read by primary keys, for a caller with a valid access token."))
    def get(self, call: Call) -> Session:
        """Return the session of the access token while the session is live, and 401 after its end.

        Unlike `GET /v1/verify`, the call reads the database. So it refuses a token whose session has ended, before the
        token expires.
        """
        return get_own_session(caller=call.signed_in, now=call.now)


class _ErrorsOf:
    """The common errors of routes, and the errors of all members that the apps have registered."""

    def __init__(self, members: Iterable[MachineCredential | ProofReader]) -> None:
        self._members = members

    def __iter__(self) -> Iterator[type[ServiceError]]:
        yield from COMMON
        for member in self._members:
            yield from member.errors


class ReauthenticateSession(ServiceView):
    """Reauthenticate the session."""

    schema = ServiceSchema(common=_ErrorsOf(proof_readers))
    done = Status(status="reauthenticated")

    @operation(
        input=ReauthenticateInput,
        output=Status,
        example=done,
        errors=(InvalidCredentials,),
        limits=REAUTHENTICATION_LIMITS,
    )
    def post(self, call: Call) -> Status:
        """Prove again that the caller is the account owner. The session then counts as authenticated now.

        Send the password, or a code of the authenticator app, or `ceremony_token` and `credential` of a passkey.
        """
        reauthenticate(caller=call.signed_in, body=call.body, client=call.client, now=call.now)
        return self.done


class ListRevocations(ServiceView):
    """List the ended sessions whose access tokens are still valid."""

    auth = Auth.MACHINE
    schema = ServiceSchema(common=_ErrorsOf(machine_credentials), credentials=machine_credentials)

    def authenticate(self, request: HttpRequest, *, now: datetime) -> Caller:
        """Return the caller by the machine credential in the request. Raises as `get_permitted` does."""
        credential = next(iter(machine_credentials))
        return credential.get_permitted(request=request, scope=REVOCATIONS_SCOPE, now=now)

    @operation(query=RevocationsQuery, output=Revocations)
    def get(self, call: Call) -> Revocations:
        """Return the revocations of all accounts, at most 500. A service that polls this route refuses revoked tokens.

        Send a service key with the scope `revocations:read` in the header `X-API-Key` or as the bearer token. Refuse an
        access token whose `jti` is one of the `session_ids`. Continue each request at the `next_since` of the answer
        before. The answers overlap by a minute, so that none misses a revocation.
        """
        return list_revocations(since=call.query["since"], now=call.now)


class EndSession(ServiceView):
    """End one of the caller's sessions."""

    done = Status(status="session revoked")

    @operation(output=Status, example=done, errors=(NotFound, SessionNotOwned))
    def delete(self, call: Call) -> Status:
        """End the session, so that its refresh token stops working. The call also succeeds if the session has already ended."""
        end_session(
            caller=call.signed_in,
            session_id=call.path["session_id"],
            event=EventType.SESSION_REVOKED,
            client=call.client,
            now=call.now,
        )
        return self.done


class LogOut(ServiceView):
    """Log out."""

    done = Status(status="logged out")

    @operation(input=LogoutInput, output=Status, example=done, errors=(NotFound, SessionNotOwned))
    def post(self, call: Call) -> Status:
        """End the session with this `session_id`. The call also succeeds if the session has already ended."""
        end_session(caller=call.signed_in, **call.body, event=EventType.LOGOUT, client=call.client, now=call.now)
        return self.done


class LogOutEverywhere(ServiceView):
    """Log out everywhere."""

    done = Status(status="logged out everywhere")

    @operation(output=Status, example=done)
    def post(self, call: Call) -> Status:
        """End every session of the account, including the session of this request."""
        end_all_sessions(caller=call.signed_in, client=call.client, now=call.now)
        return self.done
