"""The cost of a text is bounded. The tests send the longest and costliest text to each member of each route."""

from collections.abc import Callable
from time import thread_time
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from _pytest.mark import ParameterSet
from rest_framework import serializers

from askai.settings.stored import Name, store
from core import clock
from core.db.deployment import is_embedded
from core.db.transactions import write
from core.http.fields import JsonObject, Text
from core.http.view import Auth, Operation
from core.keys.jwt import issue_access_token
from tests import passkeys
from tests.authenticator import Authenticator
from tests.client import PASSWORD
from tests.people import Person, SignedIn, existing_session
from tests.second_factors import begin_totp, enroll_totp, generate_codes, pause

from .mounted import mounted_operations

CHARACTERS = 31_800
"""The number of two-byte characters that fill a body of 64 KiB beside the other members."""
CHARACTERS_OF_AN_ADDRESS = 8_000
"""A number of characters that come close to the longest URL of a server when they are encoded."""

SECONDS_MAX = 0.5
"""Processor time of a call. Without a bound the costliest text takes 3.6 s; every other call takes at most 0.05 s."""


def marks(length: int) -> str:
    """Return a letter with combining marks in the wrong order. Normalization sorts the marks in quadratic time."""
    return "a" + "\u0301" * (length // 2) + "\u0323" * (length // 2)


def ligatures(length: int) -> str:
    """Return characters of three bytes. NFKC replaces each of them by 18 characters."""
    return "\ufdfa" * (length * 2 // 3)


def address(length: int) -> str:
    """Return a text in the form of an e-mail address."""
    return f"{marks(length - 12)}@example.com"


TEXTS: tuple[Callable[[int], str], ...] = (marks, ligatures, address)

OPERATIONS = {name: view.operations[name.split()[0]] for name, view in sorted(mounted_operations().items())}


def declared(operation: Operation) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
    """Return the members that the operation accepts in its body or its query."""
    return {name: field for of in (operation.input, operation.query) if of for name, field in of().fields.items()}


def by_member() -> list[ParameterSet]:
    return [
        pytest.param(name, member, id=f"{name} {member}")
        for name, operation in OPERATIONS.items()
        for member in declared(operation)
    ]


def by_part_of_a_path() -> list[ParameterSet]:
    return [pytest.param(name, part, id=f"{name} {part}") for name in OPERATIONS for part in range(name.count("{}"))]


def hostile_values(operation: Operation, member: str) -> list[Any]:
    """Return the hostile texts. For a member of another type, return values that contain these texts."""
    field = declared(operation)[member]
    length = CHARACTERS if operation.query is None else CHARACTERS_OF_AN_ADDRESS
    texts = [text(length) for text in TEXTS]
    if isinstance(field, Text) or operation.query is not None:
        return texts
    if isinstance(field, JsonObject):
        return [credential(text(length // 4)) for text in TEXTS]
    return [*texts, *([text] for text in texts), *({text(length // 2): text(length // 3)} for text in TEXTS)]


def credential(text: str) -> dict[str, Any]:
    """Return an authenticator's response with the text in each part."""
    return {"id": text, "rawId": text, "type": "public-key", "response": {"clientDataJSON": text, "signature": text}}


def valid_members(session: SignedIn, operation: Operation, *, path: str) -> dict[str, Any]:
    """Return values for all members that pass the checks of the other members."""
    person = session.person
    values: dict[str, Any] = {
        "email": person.email,
        "new_email": "new@example.com",
        "password": PASSWORD,
        "current_password": PASSWORD,
        "new_password": "another good password",
        "refresh_token": session.refresh,
        "session_id": person.user_id,
        "token": "A" * 43,
        "code": "123456",
        "ceremony_token": f"sct_{'A' * 43}",
        "credential": credential("AAAA"),
        "name": "Backup",
        "question": "How many sessions do I have?",
        "value": 1,
        "status": "confirmed",
        "kind": "builtin",
        "model": "none",
        "api_key": "none",
        "max_tokens": 1024,
        "label": "reader",
        "dsn": "postgresql://reader:x@db.example.com/auth",
        "max_rows": 10,
        "enabled": True,
        "greeting": "Ask.",
    }
    if "pending_token" in declared(operation):
        values["pending_token"] = pause(person)
    if path == "/v1/passkeys/register/finish":
        values["ceremony_token"] = passkeys.begin(session)["ceremony_token"]
    if path == "/v1/login/passkey/finish":
        values["ceremony_token"] = passkeys.begin_login(person.api, values["pending_token"])["ceremony_token"]
    return {name: values[name] for name in declared(operation) if name in values}


def prepare(person: Person, name: str) -> SignedIn:
    """Return a session of the person, with the rows that the operation needs."""
    session = existing_session(person)
    if "/login/" in name or name == "POST /v1/recovery/request":
        enroll_totp(session)
        generate_codes(session)
        assert passkeys.register(session, Authenticator()).status == 200
    if name == "POST /v1/totp/confirm":
        begin_totp(session)
    if name.endswith("/ask-ai") and not is_embedded():
        widget = {"enabled": True, "allowed_origins": [], "entities": ["sessions"], "greeting": "", "placeholder": ""}
        model = {"kind": "builtin", "model": "none", "max_tokens": 1024}
        dsn = "postgresql://reader:x@db.example.com/auth"
        write(store)(name=Name.WIDGET, value=widget, credential=None, now=clock.now())
        write(store)(name=Name.LLM_PROVIDER, value=model, credential="none", now=clock.now())
        write(store)(
            name=Name.DATABASE_PROVIDER, value={"label": "reader", "max_rows": 10}, credential=dsn, now=clock.now()
        )
    return session


def token_for(name: str, session: SignedIn) -> str | None:
    """Return an operator's access token if the operation needs one, otherwise the session's token."""
    match mounted_operations()[name].auth:
        case Auth.PUBLIC:
            return None
        case Auth.ADMIN:
            return issue_access_token(
                user_id=session.person.user_id, token_id="t", claims={"role": "admin"}, now=clock.now()
            )
    return session.access


def path_of(name: str, person: Person) -> str:
    """Return a path of the operation, filled in with the person's id and a key of their metadata."""
    return name.split()[1].replace("metadata/{}", "metadata/plan").replace("{}", person.user_id)


@pytest.mark.parametrize(("name", "member"), by_member())
def test_a_text_of_any_length_takes_little_processor_time(alice: Person, name: str, member: str) -> None:
    operation = OPERATIONS[name]
    session, method = prepare(alice, name), name.split(maxsplit=1)[0]
    token, path = token_for(name, session), path_of(name, alice)

    for value in hostile_values(operation, member):
        given = {**valid_members(session, operation, path=path), member: value}
        query = f"?{urlencode(given)}" if operation.query else ""
        started = thread_time()
        answer = session.api.call(method, path + query, given if operation.input else None, token=token)
        spent = thread_time() - started

        assert answer.status < 500
        assert answer.status != 413, "the text never got as far as the member"
        assert spent < SECONDS_MAX


@pytest.mark.parametrize(("name", "part"), by_part_of_a_path())
def test_a_path_parameter_of_any_length_takes_little_processor_time(alice: Person, name: str, part: int) -> None:
    session = prepare(alice, name)
    method, template = name.split()
    token, body = token_for(name, session), valid_members(session, OPERATIONS[name], path=template)

    for text in TEXTS:
        fill = [alice.user_id] * template.count("{}")
        fill[part] = quote(text(CHARACTERS_OF_AN_ADDRESS), safe="")
        path = template.replace("{}", "%s") % tuple(fill)
        started = thread_time()
        if template.startswith("/v1"):
            status = session.api.call(method, path, body or None, token=token).status
        else:
            # A site answers unknown pages in its own way, and not in the envelope.
            status = session.api.client.generic(method, path).status_code
        spent = thread_time() - started

        assert status < 500
        assert spent < SECONDS_MAX
