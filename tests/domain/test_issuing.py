"""Only few modules open sessions and make token pairs. The test reads the code of all apps."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from setup import APPS

pytestmark = pytest.mark.once

ROOT = Path(__file__).parents[2]

ALLOWED = {
    # The rows of tokens, and the signatures of access tokens.
    # ID tokens and logout tokens are no access tokens.
    "current_signer": {"core/keys/jwt.py", "oidc/tokens/id_tokens.py", "sessions_app/families/issuing.py"},
    "issue_access_token": set(),
    "TokenPair": {"sessions_app/families/issuing.py"},
    "BoundTokenPair": {"sessions_app/families/issuing.py"},
    "NewToken": {"sessions_app/families/issuing.py"},
    "new_refresh_token": {
        "oidc/tokens/redemption.py",
        "sessions_app/families/issuing.py",
        "sessions_app/families/rotation.py",
    },
    # The session of an application is no login. It needs a code, which the session of a browser got.
    "open_family": {"oidc/tokens/redemption.py"},
    "exchange": {"oidc/tokens/refreshing.py", "sessions_app/families/rotation.py"},
    # Every login ends in one function: after the check for second factors, at its completion, or by a passkey alone.
    "open_session": {"sessions_app/logins/login.py"},
    "open_login": {
        "sessions_app/logins/login.py",
        "sessions_app/logins/pending.py",
        "mfa/passkeys/passkey_only_login.py",
    },
    # The first factors. Each pauses the login of an account with a second factor.
    "begin": {
        "sessions_app/logins/invitations.py",
        "sessions_app/logins/login.py",
        "sessions_app/logins/magic_links.py",
        "sessions_app/oauth/linking.py",
        "sessions_app/site/django_sessions.py",
    },
}
"""The functions and classes on the way to a token pair, each with the modules that call it."""

OTHERS = {
    ("accounts/ops/promotion/source.py", "begin"),  # the start of a copy of the database
    ("core/outgoing/__init__.py", "exchange"),  # a request to another server, and its answer
    ("console/browser/sign_in.py", "open_session"),  # the console's own session, which keeps the pair
    ("pages/entrance/entering.py", "open_session"),  # the session of the browser, which throws the pair away
}
"""Calls of other functions with the same names."""


def calls() -> Iterator[tuple[str, str]]:
    """Yield the module and the name of each call in the apps."""
    for app in APPS:
        for path in (ROOT / app).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                match node:
                    case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                        yield str(path.relative_to(ROOT)), name


def test_no_other_module_opens_a_session_or_makes_a_token_pair() -> None:
    found: dict[str, set[str]] = {name: set() for name in ALLOWED}
    for module, name in calls():
        if name in ALLOWED and (module, name) not in OTHERS:
            found[name].add(module)

    assert found == ALLOWED
