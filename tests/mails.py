"""The mails that a worker would have sent by now."""

import email
import email.policy
from email.message import EmailMessage
from pathlib import Path
from re import search
from urllib.parse import urlsplit

from core.clock import now
from mail.conf import settings as mail_settings
from mail.queue import DeliverMails


def delivered(to: str) -> list[EmailMessage]:
    """Deliver the waiting mails. Return the new mails to the address, the oldest first."""
    DeliverMails().run(now(), lambda: False)
    return read(Path(urlsplit(mail_settings().email_url).path), to=to)


def read(directory: Path, *, to: str) -> list[EmailMessage]:
    """Read and delete the mails to the address in the directory. Return them, the oldest first."""
    found = []
    for path in sorted(directory.glob("*.eml")):
        message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        if message["To"] == to:
            path.unlink()
            found.append(message)
    return found


def text_of(message: EmailMessage) -> str:
    """Return the plain text of a mail."""
    body = message.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def token_in(message: EmailMessage) -> str:
    """Return the token of the link in a mail."""
    match = search(r"token=([A-Za-z0-9_-]{43})\b", text_of(message))
    assert match is not None
    return match[1]
