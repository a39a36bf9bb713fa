"""How a letter leaves: by SMTP, into a directory, onto the console. Which way is EMAIL_URL's to say, and nothing else's.

Django's own mail backends read EMAIL_* settings that are the host's, know STARTTLS only as all or nothing, and no
SMTPUTF8, so the SMTP client is the standard library's.
"""

import smtplib
import ssl
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy, default
from pathlib import Path
from typing import Protocol
from urllib.parse import SplitResult, unquote, urlsplit
from uuid import UUID

import idna

SMTP_SECONDS = 10
"""How long the mail server may take for each answer."""

_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_CLOSING = 421
_PERMANENT = 500

# Seven bits pass through every server, whatever it says of itself.
_ON_THE_WIRE = SMTP.clone(cte_type="7bit")
# People look into files: there, no link is broken up and no letter encoded.
_IN_A_FILE = default.clone(utf8=True, max_line_length=998)


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """A mail, rendered: one recipient, plain text and its HTML alternative.

    `token` is the secret that both of them hold, "" when there is none. The id becomes the Message-ID, so that a letter
    that was sent twice can be told to be one.
    """

    id: UUID
    written_at: datetime
    to: str
    subject: str
    text: str
    html: str
    token: str


class NotSent(Exception):
    """The letter did not leave. The text tells an operator why and never holds an address."""


class Unavailable(NotSent):
    """No letter leaves at the moment, whichever it is."""


class Deferred(NotSent):
    """This letter was refused for now."""


class Refused(NotSent):
    """This letter was refused for good."""


class Transport(Protocol):
    """An open way out."""

    def send(self, letter: Letter) -> None:
        """Hand the letter over. Raises Unavailable, after which this way is closed, Deferred or Refused."""


def parse_mail_url(url: str) -> SplitResult:
    """Return the parts of a proper EMAIL_URL other than `off`. Raises ValueError."""
    parts = urlsplit(url)
    match parts.scheme:
        case "smtp" | "smtps":
            has_both_or_none = bool(parts.username) == bool(parts.password)
            is_proper = bool(parts.hostname) and parts.port != 0 and parts.path in ("", "/") and has_both_or_none
        case "file":
            is_proper = not parts.netloc and parts.path.startswith("/")
        case "console":
            is_proper = not parts.netloc and not parts.path
        case _:
            is_proper = False
    if not is_proper or parts.query or parts.fragment:
        raise ValueError("This is no URL by which mails can leave.")
    return parts


def parse_sender(text: str) -> Address:
    """Return the address of a proper EMAIL_FROM, which may have a name before it. Raises ValueError."""
    try:
        header = _ON_THE_WIRE.header_factory("From", text)
    except IndexError:
        # The standard library's parser runs over the end of `a@`.
        raise ValueError("This is not one address.") from None
    if header.defects or len(header.addresses) != 1:
        raise ValueError("This is not one address.")
    (found,) = header.addresses
    return Address(display_name=found.display_name, username=found.username, domain=_to_ascii(found.domain))


@contextmanager
def open_transport(*, url: str, sender: str, shows_tokens: bool) -> Iterator[Transport]:
    """Yield the way out that EMAIL_URL names, and close it. Raises Unavailable when there is none at the moment.

    `sender` is an address, with or without a name before it. The console shows tokens only with `shows_tokens`.
    """
    if url == "off":
        raise Unavailable("EMAIL_URL is off.")
    parts = parse_mail_url(url)
    origin = parse_sender(sender)
    match parts.scheme:
        case "file":
            yield _Directory(Path(unquote(parts.path)), sender=origin)
        case "console":
            yield _Console(sender=origin, shows_tokens=shows_tokens)
        case _:
            with _session(parts, domain=origin.domain) as session:
                yield _Server(session, sender=origin)


class _Console:
    """Prints the text of letters on standard output: for people who try the service out on their own machine."""

    def __init__(self, *, sender: Address, shows_tokens: bool) -> None:
        self._sender = sender
        self._shows_tokens = shows_tokens

    def send(self, letter: Letter) -> None:
        text = letter.text
        if letter.token and not self._shows_tokens:
            text = text.replace(letter.token, "***")
            text += (
                "\nThe token is masked. DEBUG=on shows it here, EMAIL_URL=file:///DIRECTORY writes it into a file.\n"
            )
        head = f"From: {self._sender}\nTo: {letter.to}\nSubject: {letter.subject}"
        rule = "-" * 72
        sys.stdout.write(f"{rule}\n{head}\n\n{text}{rule}\n")
        sys.stdout.flush()


class _Directory:
    """Keeps each letter as a file of its own, which only its owner can read."""

    def __init__(self, path: Path, *, sender: Address) -> None:
        self._path = path
        self._sender = sender

    def send(self, letter: Letter) -> None:
        content = _compose(letter, sender=self._sender, to=letter.to, policy=_IN_A_FILE).as_bytes()
        fresh = self._path / f".{letter.id}.new"
        try:
            self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
            fresh.unlink(missing_ok=True)
            fresh.touch(mode=0o600)
            fresh.write_bytes(content)
            fresh.replace(self._path / f"{letter.id}.eml")
        except OSError as error:
            raise Unavailable(f"The directory of EMAIL_URL cannot be written: {error.strerror}.") from None


class _Server:
    """Sends letters over one SMTP session."""

    def __init__(self, session: smtplib.SMTP, *, sender: Address) -> None:
        self._session = session
        self._sender = sender

    def send(self, letter: Letter) -> None:
        to = letter.to
        if not self._session.has_extn("smtputf8"):
            username, _, domain = to.rpartition("@")
            try:
                to = f"{username}@{_to_ascii(domain)}"
            except UnicodeError:
                raise Refused("The domain is no name that name servers could know.") from None
        message = _compose(letter, sender=self._sender, to=to, policy=_ON_THE_WIRE)
        # Quoted where it must be: smtplib makes another address of a bare comma, and a different one by Python version.
        (recipient,) = message["To"].addresses
        try:
            self._session.send_message(message, self._sender.addr_spec, [recipient.addr_spec])
        except smtplib.SMTPNotSupportedError:
            raise Refused("The mail server takes no address beyond ASCII.") from None
        except smtplib.SMTPRecipientsRefused as refused:
            raise _refusal(*(code for code, _ in refused.recipients.values()), step="RCPT") from None
        except smtplib.SMTPDataError as refused:
            raise _refusal(refused.smtp_code, step="DATA") from None
        except smtplib.SMTPSenderRefused as refused:
            # The sender is the same for all letters: it is for the operator to mend, and no fault of this one.
            raise Unavailable(f"The mail server answered {refused.smtp_code} to MAIL FROM.") from None
        except (smtplib.SMTPException, OSError) as error:
            raise Unavailable(f"The session with the mail server broke off: {type(error).__name__}.") from None


def _refusal(code: int, *, step: str) -> NotSent:
    # The number alone: the text beside it usually repeats the address.
    sentence = f"The mail server answered {code} to {step}."
    if code == _CLOSING:
        return Unavailable(sentence)
    return Refused(sentence) if code >= _PERMANENT else Deferred(sentence)


@contextmanager
def _session(parts: SplitResult, *, domain: str) -> Iterator[smtplib.SMTP]:
    try:
        session = _connect(parts, domain=domain)
    except smtplib.SMTPResponseException as refused:
        raise Unavailable(f"The mail server refused the session: {refused.smtp_code}.") from None
    except (smtplib.SMTPException, OSError, UnicodeError) as error:
        raise Unavailable(f"There is no session with the mail server to be had: {type(error).__name__}.") from None
    try:
        yield session
        with suppress(smtplib.SMTPException, OSError):
            session.quit()
    finally:
        session.close()


def _connect(parts: SplitResult, *, domain: str) -> smtplib.SMTP:
    host, port = parts.hostname or "", parts.port or 0
    # The sender's domain is the name we give; the standard library would ask a name server for one, for seconds perhaps.
    session = (
        smtplib.SMTP_SSL(host, port, domain, timeout=SMTP_SECONDS, context=ssl.create_default_context())
        if parts.scheme == "smtps"
        else smtplib.SMTP(host, port, domain, timeout=SMTP_SECONDS)
    )
    try:
        _prepare(session, parts)
    except BaseException:
        session.close()
        raise
    return session


def _prepare(session: smtplib.SMTP, parts: SplitResult) -> None:
    """Encrypt the session if that can be had, and log in if the URL names somebody.

    STARTTLS is used whenever it is offered. Without a password to protect, the certificate does not matter: whoever
    could forge one could as well hide the offer, and many relays next door have one of their own making. A password goes
    only to a server with a certificate that is trusted, or to this very machine.
    """
    is_trusted = parts.scheme == "smtps" or parts.hostname in _LOOPBACK
    session.ehlo_or_helo_if_needed()
    if parts.scheme == "smtp" and session.has_extn("starttls"):
        context = ssl.create_default_context()
        if is_trusted or not parts.username:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        session.starttls(context=context)
        session.ehlo()
        is_trusted = True
    if not parts.username:
        return
    if not is_trusted:
        raise Unavailable("The mail server offers no TLS, and the password of EMAIL_URL must not go in clear.")
    session.login(unquote(parts.username), unquote(parts.password or ""))


def _compose(letter: Letter, *, sender: Address, to: str, policy: "EmailPolicy[EmailMessage]") -> EmailMessage:
    username, _, domain = to.rpartition("@")
    message = EmailMessage(policy=policy)
    message["From"] = sender
    message["To"] = Address(username=username, domain=domain)
    message["Subject"] = letter.subject
    message["Date"] = letter.written_at
    message["Message-ID"] = f"<{letter.id}@{sender.domain}>"
    # RFC 3834: nobody's out-of-office note answers it.
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(letter.text)
    message.add_alternative(letter.html, subtype="html")
    return message


def _to_ascii(domain: str) -> str:
    """Return the domain as name servers know it. Raises UnicodeError when it can be none.

    By IDNA 2008: the older rules of the standard library take straße.de for strasse.de, which may be somebody else's.
    """
    return domain if domain.isascii() else idna.encode(domain, uts46=True).decode()
