"""A real SMTP server on loopback, with the behaviour that a test defines."""

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
    """A mail as the server received it."""

    sender: str
    to: list[str]
    content: bytes
    greeting: str
    is_encrypted: bool

    @property
    def message(self) -> EmailMessage:
        """The mail as a mail program parses it."""
        return message_from_bytes(self.content, policy=policy.default)


@dataclass
class SmtpHandler:
    """Accept every mail. While a list has answers, each mail gets the next answer of that list."""

    rcpt_answers: list[str] = field(default_factory=list)
    data_answers: list[str] = field(default_factory=list)
    sender_answers: list[str] = field(default_factory=list)
    received: list[Received] = field(default_factory=list)
    sessions: int = 0

    async def handle_EHLO(  # noqa: N802 - the library's word
        self, server: Any, session: Any, envelope: Any, hostname: str, responses: list[str]
    ) -> list[str]:
        """Count the session once, and not again after STARTTLS."""
        self.sessions += not session.ssl
        session.host_name = hostname
        return responses

    async def handle_MAIL(  # noqa: N802 - the library's word
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        """Accept the sender, or send the next answer."""
        if self.sender_answers:
            return self.sender_answers.pop(0)
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(  # noqa: N802 - the library's word
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        """Accept the recipient, or send the next answer."""
        if self.rcpt_answers:
            return self.rcpt_answers.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - the library's word
        """Accept the mail, or send the next answer."""
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


class DisconnectingHandler(SmtpHandler):
    """Close the connection after a mail without an answer, and lose the mail."""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - the library's word
        server.transport.abort()
        return "250 OK"


class SilentHandler(SmtpHandler):
    """Receive a mail and never answer."""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - the library's word
        await asyncio.Event().wait()
        return "250 OK"


@contextmanager
def mail_server(handler: SmtpHandler, **options: Any) -> Iterator[int]:
    """Run a server with the handler and yield its port. `options` are those of aiosmtpd's SMTP."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        controller = Controller(handler, hostname="127.0.0.1", port=listener.getsockname()[1], **options)
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()
