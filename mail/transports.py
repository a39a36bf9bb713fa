"""Transports of letters: SMTP, a directory, or the console. Only EMAIL_URL selects the transport.

Django's mail backends are not used, for three reasons. They read EMAIL_* settings, which belong to the host project.
They support STARTTLS only as always or never. They do not support SMTPUTF8. The SMTP client is `smtplib`.
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
"""The timeout of each response of the mail server."""

_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_CLOSING_CODE = 421
_PERMANENT_CODE = 500

# Every mail server accepts seven-bit content, even one without the 8BITMIME extension.
_WIRE_FORMAT = SMTP.clone(cte_type="7bit")
# People read the files, so the lines stay unbroken and the characters unencoded.
_FILE_FORMAT = default.clone(utf8=True, max_line_length=998)


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """A rendered mail with one recipient, as plain text and HTML.

    `token` and `code` are the secrets in both texts; "" means that there is none. The id becomes part of the Message-ID, so that a
    receiver can recognize a letter that was sent twice.
    """

    id: UUID
    written_at: datetime
    to: str
    subject: str
    text: str
    html: str
    token: str
    code: str = ""


class NotSent(Exception):
    """The letter was not sent. The text gives the operator the reason and never contains an address."""


class Unavailable(NotSent):
    """The transport can send no letters at the moment."""


class Deferred(NotSent):
    """The mail server refused this letter temporarily."""


class Refused(NotSent):
    """This letter can never be sent."""


class Transport(Protocol):
    """An open transport."""

    def send(self, letter: Letter) -> None:
        """Send the letter. Raises Deferred, Refused, or Unavailable.

        The transport is not usable after Unavailable.
        """


def parse_mail_url(url: str) -> SplitResult:
    """Return the parts of an EMAIL_URL other than `off`. Raises ValueError when the URL is malformed."""
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
        raise ValueError("This is not a valid URL of a mail transport.")
    return parts


def parse_sender(text: str) -> Address:
    """Return the address of an EMAIL_FROM, with its name if it has one.

    Raises ValueError when the text is not exactly one valid address.
    """
    try:
        header = _WIRE_FORMAT.header_factory("From", text)
    except IndexError:
        # The standard library's parser raises IndexError for `a@`.
        raise ValueError("This is not exactly one e-mail address.") from None
    if header.defects or len(header.addresses) != 1:
        raise ValueError("This is not exactly one e-mail address.")
    (found,) = header.addresses
    return Address(display_name=found.display_name, username=found.username, domain=_to_ascii(found.domain))


@contextmanager
def open_transport(*, url: str, sender: str, shows_tokens: bool) -> Iterator[Transport]:
    """Yield the transport that the EMAIL_URL `url` selects, and close it afterwards.

    `sender` is an address, with or without a name before it. The console shows tokens only with `shows_tokens`. Raises
    Unavailable when mail is off or the mail server cannot be used at the moment.
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
    """Prints the text of letters to standard output, for a trial of the service on a developer's machine."""

    def __init__(self, *, sender: Address, shows_tokens: bool) -> None:
        self._sender = sender
        self._shows_tokens = shows_tokens

    def send(self, letter: Letter) -> None:
        text = letter.text
        if letter.token and not self._shows_tokens:
            for secret in filter(None, (letter.token, letter.code)):
                text = text.replace(secret, "***")
            text += "\nThe token is masked. Set DEBUG=on to print it, or EMAIL_URL=file:///DIRECTORY to write it to a file.\n"
        head = f"From: {self._sender}\nTo: {letter.to}\nSubject: {letter.subject}"
        rule = "-" * 72
        sys.stdout.write(f"{rule}\n{head}\n\n{text}{rule}\n")
        sys.stdout.flush()


class _Directory:
    """Writes each letter to a separate file, which only the file's owner can read."""

    def __init__(self, path: Path, *, sender: Address) -> None:
        self._path = path
        self._sender = sender

    def send(self, letter: Letter) -> None:
        content = _compose(letter, sender=self._sender, to=letter.to, policy=_FILE_FORMAT).as_bytes()
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
                raise Refused("The domain of the recipient's address is not valid.") from None
        message = _compose(letter, sender=self._sender, to=to, policy=_WIRE_FORMAT)
        # The header's parser quotes the address. smtplib changes an address with an unquoted comma, and the result
        # depends on the Python version.
        (recipient,) = message["To"].addresses
        try:
            self._session.send_message(message, self._sender.addr_spec, [recipient.addr_spec])
        except smtplib.SMTPNotSupportedError:
            raise Refused("The mail server accepts ASCII addresses only.") from None
        except smtplib.SMTPRecipientsRefused as refused:
            raise _refusal(*(code for code, _ in refused.recipients.values()), step="RCPT") from None
        except smtplib.SMTPDataError as refused:
            raise _refusal(refused.smtp_code, step="DATA") from None
        except smtplib.SMTPSenderRefused as refused:
            # All letters have the same sender, so the server refuses all of them until the operator changes it.
            raise Unavailable(f"The mail server answered {refused.smtp_code} to MAIL FROM.") from None
        except (smtplib.SMTPException, OSError) as error:
            raise Unavailable(f"The session with the mail server failed: {type(error).__name__}.") from None


def _refusal(code: int, *, step: str) -> NotSent:
    # Only the number: the server's text usually repeats the address.
    sentence = f"The mail server answered {code} to {step}."
    if code == _CLOSING_CODE:
        return Unavailable(sentence)
    return Refused(sentence) if code >= _PERMANENT_CODE else Deferred(sentence)


@contextmanager
def _session(parts: SplitResult, *, domain: str) -> Iterator[smtplib.SMTP]:
    try:
        session = _connect(parts, domain=domain)
    except smtplib.SMTPResponseException as refused:
        raise Unavailable(f"The mail server refused the session: {refused.smtp_code}.") from None
    except (smtplib.SMTPException, OSError, UnicodeError) as error:
        raise Unavailable(f"The mail server cannot be reached: {type(error).__name__}.") from None
    try:
        yield session
        with suppress(smtplib.SMTPException, OSError):
            session.quit()
    finally:
        session.close()


def _connect(parts: SplitResult, *, domain: str) -> smtplib.SMTP:
    host, port = parts.hostname or "", parts.port or 0
    # The sender's domain is the name in EHLO. Without a name smtplib resolves its own, which can take seconds.
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
    """Encrypt the session if the server offers STARTTLS, and log in if the URL has a user.

    Without a password, STARTTLS accepts any certificate, because many internal relays have a self-signed certificate. A
    check would add little: an attacker who can forge a certificate can also remove the server's offer. A password goes
    only to a server with a trusted certificate or on a loopback address. Raises Unavailable when there is a password,
    but no trusted session.
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
        raise Unavailable("The mail server offers no TLS, and the password of EMAIL_URL must not be sent unencrypted.")
    session.login(unquote(parts.username), unquote(parts.password or ""))


def _compose(letter: Letter, *, sender: Address, to: str, policy: "EmailPolicy[EmailMessage]") -> EmailMessage:
    username, _, domain = to.rpartition("@")
    message = EmailMessage(policy=policy)
    message["From"] = sender
    message["To"] = Address(username=username, domain=domain)
    message["Subject"] = letter.subject
    message["Date"] = letter.written_at
    message["Message-ID"] = f"<{letter.id}@{sender.domain}>"
    # RFC 3834: automatic responders do not answer a mail with this header.
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(letter.text)
    message.add_alternative(letter.html, subtype="html")
    return message


def _to_ascii(domain: str) -> str:
    """Return the domain in its ASCII form for DNS. Raises UnicodeError when there is no such form.

    The function uses IDNA 2008. The standard library uses older rules, which map straße.de to strasse.de. The two
    domains may have different owners.
    """
    return domain if domain.isascii() else idna.encode(domain, uts46=True).decode()
