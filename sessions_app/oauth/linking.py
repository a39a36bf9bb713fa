"""The account that an identity at a provider signs in to, and the link between the two.

The identity, not the address, names the account. An address leads to an account only when both sides have proven it.
The account owner proves it here, and a trusted issuer there. Otherwise an attacker could enter the account of another
person with an address that the attacker does not read.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import ClassVar, Literal

from accounts.acts.sign_up_rules import check_open
from accounts.acts.signup import create_without_password
from accounts.acts.takeover import keeps_factors, take_over
from accounts.acts.verification_mails import check_verified, mail_after_refusal, may_mail_at_sign_up
from accounts.errors import EmailNotVerified, SignupClosed, UserExists
from accounts.host import users
from accounts.models import Account
from accounts.proofs.credentials import Proof
from accounts.proofs.recent_login import FRESH_PERIOD, check_authenticated, check_recent_login
from accounts.state.epochs import CredentialsEpoch
from accounts.state.lookup import (
    find_or_provision_account,
    find_present_account,
    hold_signed_in_account,
    host_conflict,
    is_taken,
)
from accounts.state.proven_addresses import is_address_proven
from core.addresses import is_same_mailbox
from core.db.transactions import write
from core.errors import BadRequest, NotConfigured
from core.http.client import Client
from core.keys.jwt import Caller

from ..errors import IdentityInUse, InvalidOauthState, OauthEmailUnverified, OauthFailed, OauthUnavailable
from ..logins.identities import IDENTITIES_MAX, IdentityLost, ProvenIdentity, find_account_of, has_room, store_use
from ..logins.login import LoginAnswer, LoginMethod, begin
from .connection import refusal, slot, step
from .flows import SpentFlow, StartedFlow, check_issuer, spend_flow, start_flow
from .people import Person, clean_name, redeem
from .providers import Provider

_USER_EXISTS_TEXT = (
    "An account with this e-mail address already exists. Sign in to it another way, then link this provider to it with "
    "`link: true`."
)

START_ERRORS = (NotConfigured, OauthFailed, OauthUnavailable)
"""The errors of a route that starts a flow."""
COMPLETION_ERRORS = (
    *START_ERRORS,
    InvalidOauthState,
    OauthEmailUnverified,
    EmailNotVerified,
    UserExists,
    SignupClosed,
    IdentityInUse,
)
"""The errors of a route that completes a flow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityLinked:
    """The account has the identity."""

    example: ClassVar = {"status": "identity linked"}

    status: Literal["identity linked"] = "identity linked"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderAnswer:
    """The answer that the provider gave the client. `name` is what apple calls the person at the first login."""

    state_token: str
    state: str
    code: str
    issuer: str | None
    name: str


def start(*, provider: Provider, redirect_uri: str, caller: Caller | None, now: datetime) -> StartedFlow:
    """Start a login, or a link to the account of `caller`.

    The link needs a login within FRESH_PERIOD and RECENT_LOGIN_SECONDS.

    Raises InvalidAccessToken and ReauthenticationRequired as `check_authenticated` and `check_recent_login` do. Raises
    BadRequest, OauthFailed and OauthUnavailable as `start_flow` does. Opens its own transaction.
    """
    if caller is not None:
        # An attacker with a stolen access token could otherwise add an identity of their own.
        check_authenticated(within=FRESH_PERIOD, caller=caller, now=now)
        check_recent_login(caller=caller, now=now)
    return start_flow(provider=provider, redirect_uri=redirect_uri, caller=caller, now=now)


def complete(
    *, provider: Provider, answer: ProviderAnswer, caller: Caller | None, client: Client, now: datetime
) -> LoginAnswer | IdentityLinked:
    """Complete the flow of the state token: log in, or link the identity to the account of `caller`.

    Raises InvalidOauthState as `spend_flow` does. Raises it also when the flow is a link and `caller` is None or has
    another account. Raises OauthFailed, OauthUnavailable and Overloaded as `redeem` and `slot` do. A login raises as
    `_log_in` does, and a link as `_link_identity` does. Opens its own transactions; none is open during the calls.
    """
    # The slot is taken before the flow is spent. So a client that gets Overloaded can try again.
    with slot():
        flow = spend_flow(
            provider=provider, state_token=answer.state_token, state=answer.state, code=answer.code, now=now
        )
        if flow.account_id is not None and (caller is None or caller.user_id != str(flow.account_id)):
            raise InvalidOauthState
        person = _find_person(flow, answer, provider=provider, now=now)
    if flow.account_id is None or caller is None:
        return _log_in(person, client=client, now=now)
    _link_identity(person, caller, client=client, now=now)
    return IdentityLinked()


@step("return")
def _find_person(flow: SpentFlow, answer: ProviderAnswer, *, provider: Provider, now: datetime) -> Person:
    check_issuer(provider=provider, issuer=answer.issuer, now=now)
    person = redeem(flow.code, provider=provider, now=now)
    if provider.has_discovery and answer.issuer not in (None, person.issuer):
        raise refusal(provider, "the answer and the ID token name two issuers")
    return replace(person, name=person.name or clean_name(answer.name))


def _log_in(person: Person, *, client: Client, now: datetime) -> LoginAnswer:
    """Log in to the account of the identity or of its address, or to a new account.

    Raises OauthEmailUnverified when the identity is new and the provider confirms no address. Raises UserExists when the
    address belongs to an account and is not proven on both sides. Raises SignupClosed when there is no account, and the
    address may not sign up. Raises EmailNotVerified, and mails a link, when the
    address must be verified first. Raises OauthFailed when the account is not admitted, or changes during the call.
    """
    for _ in range(2):
        try:
            return _try_log_in(person, client=client, now=now)
        except IdentityLost:
            continue
        except UserExists:
            # A concurrent login can have made the account of this identity.
            if find_account_of(issuer=person.issuer, subject=person.subject) is None:
                raise UserExists(_USER_EXISTS_TEXT) from None
    raise OauthFailed


def _try_log_in(person: Person, *, client: Client, now: datetime) -> LoginAnswer:
    account = find_account_of(issuer=person.issuer, subject=person.subject)
    if account is not None:
        return _log_in_to(account, person, client=client, now=now)
    if person.email is None:
        raise OauthEmailUnverified
    account = find_or_provision_account(email=person.email, now=now)
    if account is None:
        return _sign_up(person, person.email, client=client, now=now)
    # The address found the account by its key, which other mailboxes can share.
    if not _confirms_address_of(account, person):
        raise UserExists
    answer = _adopt(account, person, client=client, now=now)
    if answer is None:
        raise IdentityLost
    return answer


def _log_in_to(account: Account, person: Person, *, client: Client, now: datetime) -> LoginAnswer:
    """Log in to the account to which the identity is linked."""
    present = find_present_account(account=account, now=now)
    if present is None:
        raise OauthFailed
    identity = _proven(person, is_new=False, proves_address=_confirms_address_of(present, person))
    try:
        answer = _begin(present, identity, client=client, now=now)
    except EmailNotVerified:
        mail_after_refusal(account_id=present.pk, client=client, now=now)
        raise
    if answer is None:
        raise IdentityLost
    return answer


@write
def _begin(account: Account, identity: ProvenIdentity, *, client: Client, now: datetime) -> LoginAnswer | None:
    return begin(proof=_prove_by_provider(account), method=LoginMethod.OAUTH, identity=identity, client=client, now=now)


@write
def _adopt(account: Account, person: Person, *, client: Client, now: datetime) -> LoginAnswer | None:
    """Log in to the account whose address a trusted issuer confirms. The completed login links the identity.

    When the address was never proven here, another person may have made the account. The owner of the mailbox then takes
    the account over, except when `keeps_factors` is true: then the login pauses. Returns None when the account has changed.
    """
    proof = _prove_by_provider(account)
    if proof.epoch.hold() is None:
        return None
    if not is_address_proven(account_id=account.pk) and not keeps_factors(account_id=account.pk):
        owned = proof.supersede(now=now)
        if owned is None:
            return None
        take_over(account_id=account.pk, client=client, now=now)
        proof = owned
    identity = _proven(person, is_new=True, proves_address=True)
    return begin(proof=proof, method=LoginMethod.OAUTH, identity=identity, client=client, now=now)


def _sign_up(person: Person, address: str, *, client: Client, now: datetime) -> LoginAnswer:
    """Create an account with the identity and the address, and log in to it. The address of a trusted issuer is proven."""
    check_open(address=address)
    if is_taken(address=address, now=now):
        raise UserExists
    is_mailed = not person.is_trusted and may_mail_at_sign_up(address=address, now=now)
    with host_conflict(address=address, now=now):
        answer = _create(person, address, is_mailed=is_mailed, client=client, now=now)
    if answer is None:
        raise EmailNotVerified
    return answer


@write
def _create(person: Person, address: str, *, is_mailed: bool, client: Client, now: datetime) -> LoginAnswer | None:
    """Return None when the new account must verify its address before it can log in. The account then exists."""
    account = create_without_password(
        email=address,
        is_proven=person.is_trusted,
        is_mailed=is_mailed,
        metadata={"method": LoginMethod.OAUTH, "provider": person.provider},
        client=client,
        now=now,
    )
    identity = _proven(person, is_new=True, proves_address=False)
    try:
        check_verified(account_id=account.pk)
    except EmailNotVerified:
        store_use(account_id=account.pk, identity=identity, client=client, now=now)
        return None
    return begin(proof=_prove_by_provider(account), method=LoginMethod.OAUTH, identity=identity, client=client, now=now)


def _link_identity(person: Person, caller: Caller, *, client: Client, now: datetime) -> None:
    """Link the identity to the caller's account. A trusted issuer also proves the account's address.

    Raises InvalidAccessToken when the session has ended. Raises IdentityInUse when another account has the identity.
    Raises BadRequest when the account has IDENTITIES_MAX identities.
    """
    try:
        _store_identity(person, caller, client=client, now=now)
    except IdentityLost:
        raise IdentityInUse from None


@write
def _store_identity(person: Person, caller: Caller, *, client: Client, now: datetime) -> None:
    account = hold_signed_in_account(caller=caller, now=now)
    if not has_room(account_id=account.pk):
        raise BadRequest(f"An account can have at most {IDENTITIES_MAX} identities. Remove one first.")
    identity = _proven(person, is_new=True, proves_address=_confirms_address_of(account, person))
    store_use(account_id=account.pk, identity=identity, client=client, now=now)


def _confirms_address_of(account: Account, person: Person) -> bool:
    if not person.is_trusted or person.email is None:
        return False
    return is_same_mailbox(person.email, users.email_of(account.user))


def _proven(person: Person, *, is_new: bool, proves_address: bool) -> ProvenIdentity:
    return ProvenIdentity(
        provider=person.provider,
        issuer=person.issuer,
        subject=person.subject,
        name=person.name,
        proves_address=proves_address,
        is_new=is_new,
    )


def _prove_by_provider(account: Account) -> Proof:
    """Return the proof of the account to which the rules of this module led a `Person`.

    Only `redeem` makes a Person, after the checks of the provider's answer.
    """
    return Proof(epoch=CredentialsEpoch.of(account), email=users.email_of(account.user))
