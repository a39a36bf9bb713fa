"""A Proof exists only after a successful check of a credential."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
APPS = ("accounts", "apikeys", "askai", "config", "console", "core", "events", "mail", "mfa", "oidc", "sessions_app")

PROVING = {
    "accounts/proofs/credentials.py": {"_prove_by_recent_login", "_verify", "prove_mailbox"},
    "sessions_app/site/django_sessions.py": {"_begin"},
    "sessions_app/logins/code_logins.py": {"_complete"},
    "sessions_app/oauth/linking.py": {"_prove_by_provider"},
    "sessions_app/logins/invitations.py": {"_accept"},
}
"""The functions that check a credential, or a Django session, and make a Proof."""


def makers(source: str) -> set[str]:
    """Return the functions that call `Proof` by name, attribute or alias. A call outside functions counts as ""."""
    tree = ast.parse(source)
    imports = [alias for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names]
    names = {"Proof"} | {alias.asname for alias in imports if alias.name == "Proof" and alias.asname}
    found = set[str]()

    def visit(node: ast.AST, function: str) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            function = node.name
        if isinstance(node, ast.Call):
            callee = node.func
            called = callee.attr if isinstance(callee, ast.Attribute) else getattr(callee, "id", "")
            found.update({function} if called in names else ())
        for child in ast.iter_child_nodes(node):
            visit(child, function)

    visit(tree, "")
    return found


def test_only_the_functions_that_check_a_credential_make_a_proof() -> None:
    modules = {
        str(path.relative_to(ROOT)): makers(path.read_text()) for app in APPS for path in (ROOT / app).rglob("*.py")
    }

    assert {module: functions for module, functions in modules.items() if functions} == PROVING


@pytest.mark.parametrize(
    "source",
    [
        "from .credentials import Proof\ndef log_in(): Proof(epoch=1)",
        "from .credentials import Proof as P\ndef log_in(): P(epoch=1)",
        "from . import credentials\ndef log_in(): credentials.Proof(epoch=1)",
    ],
)
def test_the_search_finds_every_form_of_the_call(source: str) -> None:
    assert makers(source) == {"log_in"}
