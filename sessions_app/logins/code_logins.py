"""Logins by the code of a mailed link, on another device than the one that opens the mail."""

from datetime import datetime

from accounts.lifecycle import failure_listeners
from accounts.models import Account
from accounts.proofs.credentials import Proof, digest_of_unknown
from accounts.state.epochs import CredentialsEpoch
from accounts.state.lookup import find_or_provision_account, search_host
from core.addresses import email_key
from core.db.transactions import transaction_required, write
from core.http.client import Client
from core.http.limits import Counted, by_network
from core.ratelimit import Limit
from events.audit import record
from events.vocabulary import EventType

from ..errors import InvalidLoginCode
from .link_codes import spend_code
from .login import LoginAnswer
from .magic_links import begin_by_mailbox

CODE_LIMITS = (
    by_network(Limit.LOGIN_IP),
    Counted(Limit.LOGIN_CODE, lambda call: email_key(call.body["email"])),
)
"""The limits of a login by code. LOGIN_CODE counts by address alone, because an attacker can have many networks."""


def log_in_by_code(*, email: str, code: str, client: Client, now: datetime) -> LoginAnswer:
    """Log in with the code of the newest link that was mailed to the address. The code and its link are spent.

    The login is that of the link, see `complete_magic_link`. A wrong code does not count towards the lock of the account.
    Raises InvalidLoginCode when the code is wrong, spent, expired or has had its tries, and when no account has the
    address. All cases run the same statements. Opens its own transactions.
    """
    account = find_or_provision_account(email=email, now=now)
    if account is not None:
        search_host(account)
    answer = _complete(account, email=email, code=code, client=client, now=now)
    if answer is None:
        raise InvalidLoginCode
    return answer


@write
def _complete(account: Account | None, *, email: str, code: str, client: Client, now: datetime) -> LoginAnswer | None:
    epoch = CredentialsEpoch(account_id=None, number=0) if account is None else CredentialsEpoch.of(account)
    # `hold` locks the account's row before the token is spent. A change of address or password holds the same lock while
    # it voids the tokens.
    held = epoch.hold()
    if account is not None and held is None:
        return None
    address = spend_code(account_id=epoch.account_id, email=email, code=code, now=now)
    if account is None or address is None:
        _record_failure(account, email=email, client=client, now=now)
        return None
    return begin_by_mailbox(proof=Proof(epoch=epoch, email=address), client=client, now=now)


@transaction_required
def _record_failure(account: Account | None, *, email: str, client: Client, now: datetime) -> None:
    user_id = None if account is None else str(account.pk)
    metadata = {"reason": "wrong_code"}
    if account is None:
        metadata["email_hmac"] = digest_of_unknown(email_key(email))
    record(event=EventType.LOGIN_FAILED, user_id=user_id, client=client, now=now, metadata=metadata)
    for listener in failure_listeners:
        listener.login_failed(user_id=user_id, client=client, now=now)
