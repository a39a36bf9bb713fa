"""Change of the e-mail address.

The signed-in account owner requests the change. A token that is mailed to the new address confirms the change.
"""

from datetime import datetime, timedelta

from core.addresses import email_key, normalize_email
from core.db.transactions import write
from core.errors import BadRequest
from core.http.client import Client
from core.keys.jwt import Caller
from events.audit import record
from events.vocabulary import EventType
from mail.compose import MailTemplate, enqueue
from mail.conf import settings
from mail.queue import NO_RECIPIENT

from ..errors import UserExists, VerificationTokenInvalid
from ..host import users
from ..models import Account, MailToken
from ..proofs.account_proofs import AccountProof, check_account_proof
from ..state.epochs import CredentialsEpoch
from ..state.lookup import hold_signed_in_account, host_conflict, is_taken
from ..state.mail_tokens import Purpose, account_of, get_mail_token, issue_mail_token, spend, void_mail_tokens
from ..state.proven_addresses import forgotten_proof, prove_address
from ..state.reconciliation import follow_address, free_address
from ..state.undo_links import LIFETIME, void_undo_links
from .email_undo import offer_undo


@write
def request_email_change(*, caller: Caller, new_email: str, client: Client, now: datetime) -> None:
    """Queue a mail with a token to the new address and a notice to the present address.

    Another user may have the new address already. The worker then drops the mail with the token. The response and the
    response time do not show this, because the function runs the same statements in both cases. The new token voids
    the account's earlier tokens for an address change.

    Raises InvalidAccessToken when the session has ended or the account was deleted. Raises BadRequest when the new
    address is malformed or equals the present address. Opens its own transaction.
    """
    account = hold_signed_in_account(caller=caller, now=now)
    # This comes before the token is made. A later call would detect the host's change and void the token.
    follow_address(account, now=now)
    address = normalize_email(new_email)
    if address is None:
        raise BadRequest("new_email: must be an e-mail address of at most 254 characters.")
    if email_key(address) == email_key(users.email_of(account.user)):
        raise BadRequest("new_email: must differ from the account's present address.")
    email = users.email_of(account.user)
    lifetime = timedelta(seconds=settings().email_change_seconds)
    token = issue_mail_token(
        account_id=account.pk,
        purpose=Purpose.EMAIL_CHANGE,
        address=address,
        now=now,
        lifetime=lifetime,
        live_max=1,
    )
    enqueue(
        template=MailTemplate.EMAIL_CHANGE,
        to=NO_RECIPIENT if is_taken(address=address, now=now, except_account=account.pk) else address,
        account_id=account.pk,
        values={"token": token, "email": users.display_name_of(account.user), "new_email": address},
        client=client,
        now=now,
        expires_at=now + lifetime,
    )
    enqueue(
        template=MailTemplate.EMAIL_CHANGE_NOTICE,
        to=email,
        account_id=account.pk,
        values={"new_email": address},
        client=client,
        now=now,
    )
    record(event=EventType.EMAIL_CHANGE_REQUESTED, user_id=caller.user_id, client=client, now=now)


def confirm_email_change(
    *, token: str, password: str | None, caller: Caller | None, client: Client, now: datetime
) -> None:
    """Store the token's address as the address of the account.

    The account's sessions stay live. All mailed tokens of the account become void. The new address is proven only if
    the request also proves the account. The password proves it, or `caller` with a live session. Otherwise a click by
    the owner of the new mailbox could make another person's account trusted.

    The notice to the old address can contain a link that undoes the change, see `offer_undo`.

    Raises VerificationTokenInvalid and VerificationTokenExpired as `get_mail_token` does. Raises
    VerificationTokenInvalid, InvalidCredentials and RateLimited as `check_account_proof` does; the token is then not
    spent. Raises VerificationTokenInvalid also when a concurrent call spent the token or changed the account's credentials. Raises
    UserExists when another user has taken the address since the request. Opens its own transaction.
    """
    found = get_mail_token(raw=token, purpose=Purpose.EMAIL_CHANGE, now=now)
    proof = check_account_proof(account=account_of(found), caller=caller, password=password, client=client, now=now)
    with host_conflict(address=found.address, now=now):
        if not _confirm(found, proof, client=client, now=now):
            raise VerificationTokenInvalid


@write
def _confirm(token: MailToken, proof: AccountProof, *, client: Client, now: datetime) -> bool:
    account = proof.account
    if not CredentialsEpoch.of(account).supersede(now=now) or not spend(token, now=now):
        return False
    if users.is_address_used(email=token.address):
        raise UserExists
    free_address(address=token.address, now=now)
    # A concurrent sign-up can still take the address. A unique constraint then fails, and the transaction rolls back.
    Account.objects.filter(pk=account.pk).update(email_key=email_key(token.address), **forgotten_proof())
    users.set_email(account_id=account.pk, email=token.address)
    void_mail_tokens(account_id=account.pk, now=now)
    void_undo_links(account_id=account.pk, address=token.address, now=now)
    if proof.proves_account(now=now):
        prove_address(account_id=account.pk, address=token.address, client=client, now=now)
    undo = offer_undo(account=account, now=now)
    enqueue(
        template=MailTemplate.EMAIL_CHANGED_NOTICE,
        to=users.email_of(account.user),
        account_id=account.pk,
        values={"new_email": token.address, "token": undo},
        client=client,
        now=now,
        expires_at=now + LIFETIME if undo else None,
    )
    record(event=EventType.EMAIL_CHANGED, user_id=str(account.pk), client=client, now=now)
    return True
