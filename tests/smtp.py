"""A real SMTP server on loopback, which behaves as a test wants it to."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """A mail as the server got it."""

    sender: str
    to: list[str]
    content: bytes
    greeting: str
    is_encrypted: bool

    @property
    def message(self) -> EmailMessage:
        """The mail as a mail program reads it."""
        return message_from_bytes(self.content, policy=policy.default)


@dataclass
class Desk:
    """Takes every mail. Of each list the next answer is given, one a mail, for as long as there are any."""

    rcpt_answers: list[str] = field(default_factory=list)
    data_answers: list[str] = field(default_factory=list)
    sender_answers: list[str] = field(default_factory=list)
    received: list[Received] = field(default_factory=list)
    sessions: int = 0

    async def handle_EHLO(  # noqa: N802 - the library's word
        self, server: Any, session: Any, envelope: Any, hostname: str, responses: list[str]
    ) -> list[str]:
        """Count the session, but not anew once it is encrypted."""
        self.sessions += not session.ssl
        session.host_name = hostname
        return responses

    async def handle_MAIL(  # noqa: N802 - the library's word
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        """Take the sender, or give the next answer."""
        if self.sender_answers:
            return self.sender_answers.pop(0)
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(  # noqa: N802 - the library's word
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        """Take the recipient, or give the next answer."""
        if self.rcpt_answers:
            return self.rcpt_answers.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - the library's word
        """Take the mail, or give the next answer."""
        if self.data_answers:
            return self.data_answers.pop(0)
        self.received.append(
            Received(
                sender=envelope.mail_from,
                to=envelope.rcpt_tos,
                content=envelope.original_content,
                greeting=session.host_name,
                is_encrypted=session.ssl is not None,
            )
        )
        return "250 OK"


class DyingDesk(Desk):
    """Breaks the connection off when it has got a mail, without a word, and the mail is lost."""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - the library's word
        server.transport.abort()
        return "250 OK"


class HangingDesk(Desk):
    """Never answers a mail."""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - the library's word
        await asyncio.Event().wait()
        return "250 OK"


@contextmanager
def mail_server(desk: Desk, **options: Any) -> Iterator[int]:
    """Run a server in front of the desk; yield its port. `options` are those of aiosmtpd's SMTP."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        controller = Controller(desk, hostname="127.0.0.1", port=listener.getsockname()[1], **options)
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()


def free_port() -> int:
    """Return a port at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
