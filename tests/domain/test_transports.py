"""Mail transports, tested with real servers on loopback."""

import socket
import ssl
import stat
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from aiosmtpd.smtp import AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from mail import transports
from mail.transports import (
    Deferred,
    Letter,
    Refused,
    Unavailable,
    open_transport,
    parse_mail_url,
    parse_sender,
)
from tests.rows import each
from tests.smtp import DisconnectingHandler, SilentHandler, SmtpHandler, mail_server
from tools.local_postgres import free_port

pytestmark = pytest.mark.once

NOW = datetime(2026, 11, 21, 3, 44, tzinfo=UTC)
SENDER = "Gate <no-reply@example.com>"
TOKEN = "T" * 43
LETTER_ID = UUID("01931e2c-0000-7000-8000-000000000001")


def letter(*, to: str = "alice@example.net", subject: str = "Grüße", text: str = f"Go to /#token={TOKEN}\n") -> Letter:
    return Letter(
        id=LETTER_ID, written_at=NOW, to=to, subject=subject, text=text, html="<p>Grüße – here</p>", token=TOKEN
    )


def send(url: str, *letters: Letter, sender: str = SENDER, shows_tokens: bool = False) -> None:
    with open_transport(url=url, sender=sender, shows_tokens=shows_tokens) as transport:
        for one in letters or [letter()]:
            transport.send(one)


def test_a_letter_arrives_complete() -> None:
    handler = SmtpHandler()
    with mail_server(handler) as port:
        send(f"smtp://127.0.0.1:{port}")

    (received,) = handler.received
    message = received.message
    plain, html = message.get_body(("plain",)), message.get_body(("html",))
    assert plain is not None
    assert html is not None
    assert (received.sender, received.to, received.greeting) == (
        "no-reply@example.com",
        ["alice@example.net"],
        "example.com",
    )
    assert {name: str(value) for name, value in message.items() if name != "Content-Type"} == {
        "From": "Gate <no-reply@example.com>",
        "To": "alice@example.net",
        "Subject": "Grüße",
        "Date": "Sat, 21 Nov 2026 03:44:00 +0000",
        "Message-ID": f"<{LETTER_ID}@example.com>",
        "Auto-Submitted": "auto-generated",
        "MIME-Version": "1.0",
    }
    assert message.get_content_type() == "multipart/alternative"
    assert plain.get_content().replace("\r\n", "\n") == f"Go to /#token={TOKEN}\n"
    assert "<p>Grüße – here</p>" in html.get_content()
    assert received.content.isascii()


def test_several_letters_share_a_session() -> None:
    handler = SmtpHandler()
    with mail_server(handler) as port:
        send(f"smtp://127.0.0.1:{port}", letter(to="alice@example.net"), letter(to="bob@example.net"))

    assert [received.to for received in handler.received] == [["alice@example.net"], ["bob@example.net"]]
    assert handler.sessions == 1


@pytest.mark.parametrize(
    ("handler", "outcome", "reason"),
    [
        (
            SmtpHandler(rcpt_answers=["550 <alice@example.net>: who?"]),
            Refused,
            "The mail server answered 550 to RCPT.",
        ),
        (
            SmtpHandler(rcpt_answers=["452 <alice@example.net>: full"]),
            Deferred,
            "The mail server answered 452 to RCPT.",
        ),
        (
            SmtpHandler(data_answers=["554 not from you to alice@example.net"]),
            Refused,
            "The mail server answered 554 to DATA.",
        ),
        (
            SmtpHandler(data_answers=["451 later, alice@example.net"]),
            Deferred,
            "The mail server answered 451 to DATA.",
        ),
    ],
)
def test_a_refused_letter_does_not_end_the_session(handler: SmtpHandler, outcome: type[Exception], reason: str) -> None:
    with (
        mail_server(handler) as port,
        open_transport(url=f"smtp://127.0.0.1:{port}", sender=SENDER, shows_tokens=False) as transport,
    ):
        with pytest.raises(outcome) as caught:
            transport.send(letter())
        transport.send(letter(to="bob@example.net"))

    assert str(caught.value) == reason
    assert [received.to for received in handler.received] == [["bob@example.net"]]
    assert handler.sessions == 1


@pytest.mark.parametrize(
    ("handler", "reason"),
    [
        (
            SmtpHandler(sender_answers=["550 alice@example.net will not read you"]),
            "The mail server answered 550 to MAIL FROM.",
        ),
        (SmtpHandler(sender_answers=["451 busy"]), "The mail server answered 451 to MAIL FROM."),
        (SmtpHandler(rcpt_answers=["421 <alice@example.net> bye"]), "The mail server answered 421 to RCPT."),
        (DisconnectingHandler(), "The session with the mail server failed: SMTPServerDisconnected."),
        (SilentHandler(), "The session with the mail server failed: SMTPServerDisconnected."),
    ],
    ids=["sender refused", "sender refused for now", "closing", "dies", "hangs"],
)
def test_a_server_that_accepts_nothing_is_unavailable(
    monkeypatch: pytest.MonkeyPatch, handler: SmtpHandler, reason: str
) -> None:
    assert transports.SMTP_SECONDS == 10
    monkeypatch.setattr(transports, "SMTP_SECONDS", 0.3)

    with mail_server(handler) as port, pytest.raises(Unavailable) as caught:
        send(f"smtp://127.0.0.1:{port}")

    assert str(caught.value) == reason
    assert handler.received == []


def test_a_closed_port_is_unavailable() -> None:
    with pytest.raises(Unavailable, match="ConnectionRefusedError"):
        send(f"smtp://127.0.0.1:{free_port()}")


def test_a_server_that_never_answers_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transports, "SMTP_SECONDS", 0.3)

    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(Unavailable, match="SMTPServerDisconnected"):
        send(f"smtp://127.0.0.1:{silent.getsockname()[1]}")


def test_an_invalid_host_name_is_unavailable() -> None:
    with pytest.raises(Unavailable, match="cannot be reached"):
        send(f"smtp://{'x' * 64}.example")


def test_a_session_is_encrypted_when_the_server_offers_it(tls: ssl.SSLContext) -> None:
    handler = SmtpHandler()
    with mail_server(handler, tls_context=tls) as port:
        send(f"smtp://127.0.0.1:{port}")

    assert [received.is_encrypted for received in handler.received] == [True]


class Guard:
    """Accept the right password, and record each attempt."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def __call__(self, _server: Any, _session: Any, _envelope: Any, _mechanism: str, given: Any) -> AuthResult:
        self.asked.append((given.login.decode(), given.password.decode()))
        return AuthResult(success=given.password == b"p@ss word", handled=False)


@pytest.fixture
def guard() -> Guard:
    return Guard()


def test_a_password_is_sent_to_a_trusted_server(
    tls: ssl.SSLContext, trusted: None, named_mail_server: None, guard: Guard
) -> None:
    handler = SmtpHandler()
    with mail_server(handler, tls_context=tls, authenticator=guard, auth_required=True) as port:
        send(f"smtp://alice%40example.com:p%40ss%20word@mail.example:{port}")

    assert guard.asked == [("alice@example.com", "p@ss word")]
    assert [received.is_encrypted for received in handler.received] == [True]


def test_no_password_is_sent_to_a_server_with_an_untrusted_certificate(
    tls: ssl.SSLContext, named_mail_server: None, guard: Guard
) -> None:
    with (
        mail_server(SmtpHandler(), tls_context=tls, authenticator=guard) as port,
        pytest.raises(Unavailable, match="SSLCertVerificationError"),
    ):
        send(f"smtp://alice:p%40ss%20word@mail.example:{port}")

    assert guard.asked == []


def test_no_password_is_sent_without_encryption(named_mail_server: None, guard: Guard) -> None:
    with (
        mail_server(SmtpHandler(), authenticator=guard, auth_require_tls=False) as port,
        pytest.raises(Unavailable, match="must not be sent unencrypted"),
    ):
        send(f"smtp://alice:p%40ss%20word@mail.example:{port}")

    assert guard.asked == []


@pytest.mark.parametrize("is_encrypted", [True, False])
def test_a_password_is_sent_to_this_machine_without_encryption(
    tls: ssl.SSLContext, guard: Guard, is_encrypted: bool
) -> None:
    handler = SmtpHandler()
    options = {"tls_context": tls} if is_encrypted else {"auth_require_tls": False}
    with mail_server(handler, authenticator=guard, **options) as port:
        send(f"smtp://alice:p%40ss%20word@127.0.0.1:{port}")

    assert guard.asked == [("alice", "p@ss word")]
    assert [received.is_encrypted for received in handler.received] == [is_encrypted]


def test_a_wrong_password_makes_a_server_unavailable(guard: Guard) -> None:
    with (
        mail_server(SmtpHandler(), authenticator=guard, auth_require_tls=False) as port,
        pytest.raises(Unavailable, match="refused the session: 535"),
    ):
        send(f"smtp://alice:wrong@127.0.0.1:{port}")


def test_smtps_is_encrypted_from_the_start(tls: ssl.SSLContext, trusted: None, named_mail_server: None) -> None:
    handler = SmtpHandler()
    with mail_server(handler, ssl_context=tls) as port:
        send(f"smtps://mail.example:{port}")

    assert len(handler.received) == 1


def test_smtps_needs_a_trusted_certificate(tls: ssl.SSLContext, named_mail_server: None) -> None:
    with (
        mail_server(SmtpHandler(), ssl_context=tls) as port,
        pytest.raises(Unavailable, match="SSLCertVerificationError"),
    ):
        send(f"smtps://mail.example:{port}")


def test_a_non_ascii_address_is_sent_unchanged_to_a_server_that_accepts_it() -> None:
    handler = SmtpHandler()
    with mail_server(handler, enable_SMTPUTF8=True) as port:
        send(f"smtp://127.0.0.1:{port}", letter(to="grüße@straße.example"))

    assert handler.received[0].to == ["grüße@straße.example"]
    assert "To: grüße@straße.example\r\n".encode() in handler.received[0].content


def test_a_non_ascii_domain_is_sent_in_its_ascii_form_to_a_server_that_accepts_only_ascii() -> None:
    handler = SmtpHandler()
    with mail_server(handler, enable_SMTPUTF8=False) as port:
        send(f"smtp://127.0.0.1:{port}", letter(to="bob@Straße.example"), sender="no-reply@bücher.example")

    assert handler.received[0].to == ["bob@xn--strae-oqa.example"]
    assert handler.received[0].sender == "no-reply@xn--bcher-kva.example"
    assert handler.received[0].message["To"] == "bob@xn--strae-oqa.example"


@pytest.mark.parametrize("to", ["grüße@example.net", "bob@-ü.example", "bob@ü..example"])
def test_an_address_without_an_ascii_form_is_refused_for_a_server_that_accepts_only_ascii(to: str) -> None:
    handler = SmtpHandler()
    with mail_server(handler, enable_SMTPUTF8=False) as port, pytest.raises(Refused) as caught:
        send(f"smtp://127.0.0.1:{port}", letter(to=to))

    assert to not in str(caught.value)
    assert handler.received == []


@pytest.mark.parametrize(
    "hostile",
    [
        letter(to="alice@example.net\r\nBcc: eve@example.net"),
        letter(to="alice@example.net\nRCPT TO:<eve@example.net>"),
        letter(subject="Hello\r\nBcc: eve@example.net"),
        letter(subject="Hello\n\nA body of my own"),
    ],
)
def test_no_value_can_add_a_header_or_a_recipient(hostile: Letter) -> None:
    handler = SmtpHandler()
    with (
        mail_server(handler) as port,
        pytest.raises(ValueError, match=r"(?i)(linefeed|carriage return|newline|CR or LF)"),
    ):
        send(f"smtp://127.0.0.1:{port}", hostile)

    assert handler.received == []


def test_a_recipient_with_a_comma_stays_one_recipient() -> None:
    handler = SmtpHandler()
    with mail_server(handler) as port:
        send(f"smtp://127.0.0.1:{port}", letter(to="alice, eve@example.net"))

    (received,) = handler.received
    (address,) = received.message["To"].addresses
    assert address.username == "alice, eve"


def test_a_directory_receives_one_file_per_letter_that_only_its_owner_can_read(tmp_path: Path) -> None:
    directory = tmp_path / "some where"

    long = letter(to="grüße@bücher.example", text=f"Go to /#token={TOKEN}{'x' * 60}\n")
    send(f"file://{tmp_path}/some%20where", long)
    send(f"file://{tmp_path}/some%20where", long)

    (path,) = directory.iterdir()
    message = message_from_bytes(path.read_bytes(), policy=policy.default)
    assert path.name == f"{LETTER_ID}.eml"
    assert message["To"] == "grüße@bücher.example"
    assert f"Go to /#token={TOKEN}{'x' * 60}\n" in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700


def test_an_unwritable_directory_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file, no directory")

    with pytest.raises(Unavailable, match="cannot be written"):
        send(f"file://{tmp_path}/taken")


def test_the_console_transport_masks_the_token(capsys: pytest.CaptureFixture[str]) -> None:
    send("console://")

    printed = capsys.readouterr().out
    assert "To: alice@example.net\nSubject: Grüße\n\nGo to /#token=***\n" in printed
    assert "DEBUG=on" in printed
    assert "EMAIL_URL=file:///" in printed
    assert TOKEN not in printed


def test_the_console_transport_shows_the_token_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    send("console://", shows_tokens=True)

    printed = capsys.readouterr().out
    assert f"Go to /#token={TOKEN}\n" in printed
    assert "masked" not in printed


def test_a_transport_that_is_off_is_unavailable() -> None:
    with pytest.raises(Unavailable, match="EMAIL_URL is off"):
        send("off")


@each(
    "url",
    [
        "smtp://localhost",
        "smtp://user:pass@mail.example:587",
        "smtp://user:p%40ss@[::1]:25/",
        "smtps://mail.example",
        "file:///var/mails",
        "console://",
    ],
)
def test_a_valid_mail_url_is_accepted(url: str) -> None:
    assert parse_mail_url(url).geturl().rstrip("/:") == url.rstrip("/:")


@each(
    "url",
    [
        "",
        "off",
        "http://mail.example",
        "smtp://",
        "smtp://:25",
        "smtp://mail.example:0",
        "smtp://mail.example:70000",
        "smtp://mail.example:port",
        "smtp://user@mail.example",
        "smtp://mail.example/path",
        "smtp://mail.example?starttls=off",
        "file://",
        "file://directory",
        "file://./directory",
        "console://here",
    ],
)
def test_an_invalid_mail_url_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_mail_url(url)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("no-reply@localhost", "no-reply@localhost"),
        ("Gate <no-reply@example.com>", "no-reply@example.com"),
        ('"Gate, Inc." <no-reply@example.com>', "no-reply@example.com"),
        ("Büro <no-reply@bücher.example>", "no-reply@xn--bcher-kva.example"),
    ],
)
def test_a_sender_may_have_a_name(text: str, address: str) -> None:
    assert parse_sender(text).addr_spec == address


@each(
    "text", ["", "nobody", "a@b.example, c@d.example", "grüße@example.com", "a@b@c", "Gate <a@b.example> x", "@b", "a@"]
)
def test_an_invalid_sender_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_sender(text)


@pytest.fixture
def named_mail_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Resolve mail.example to this machine. The client does not treat the name as this machine's own."""
    real = socket.getaddrinfo

    def getaddrinfo(host: str, *args: Any, **more: Any) -> list[Any]:
        return list(real("127.0.0.1" if host == "mail.example" else host, *args, **more))

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)


@pytest.fixture
def trusted(tls: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Make the client trust the server's certificate."""
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))


@pytest.fixture
def tls(tmp_path: Path) -> ssl.SSLContext:
    """Return a self-signed certificate for mail.example."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "mail.example")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOW - timedelta(days=365))
        .not_valid_after(NOW + timedelta(days=36_500))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("mail.example")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (tmp_path / "certificate.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (tmp_path / "key.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "certificate.pem", tmp_path / "key.pem")
    return context
