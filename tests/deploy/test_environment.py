"""The example of the variables, and the role and the database of docs/deploying.md."""

import os
import re
import secrets
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from tests.processes.conftest import Run, manage, serve, variables
from tests.processes.running import ROOT, call
from tests.processes.variables import standalone

__all__ = ["database_url", "manage", "serve", "variables"]

EXAMPLES = (ROOT / "deploy" / "environment.example", ROOT / "deploy" / "kubernetes" / "overlays" / "example")


def filled_in(text: str) -> dict[str, str]:
    """Return the variables of an example, with each empty key made by the recipe above it."""
    recipe, found = "", {}
    for line in text.splitlines():
        if made_by := re.search(r"by: (openssl .*)", line):
            recipe = made_by[1]
        elif not line.startswith("#") and line:
            name, _, value = line.partition("=")
            found[name] = value or subprocess.check_output(recipe.split(), text=True).strip()
    return found


@pytest.mark.once
@pytest.mark.parametrize("place", EXAMPLES, ids=lambda path: path.name)
def test_the_example_that_is_filled_in_by_its_recipes_has_no_finding(place: Path, tmp_path: Path) -> None:
    files = [place] if place.is_file() else [place / "secrets.env.example", place / "settings.env"]
    own = {name: value for file in files for name, value in filled_in(file.read_text()).items()}
    own["SIGNING_KEYS_FILE"] = str(tmp_path / "signing-keys.json")

    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env=own,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture
def database_url() -> str:
    """The URL of a role and a database that the statements of docs/deploying.md made."""
    name, password = f"deployed_{secrets.token_hex(4)}", secrets.token_hex(24)
    [block] = re.findall(r"^```sql\n(.*?)^```$", (ROOT / "docs" / "deploying.md").read_text(), re.MULTILINE | re.DOTALL)
    statements = block.replace("gatehouse", name).replace("PASSWORD 'PASSWORD'", f"PASSWORD '{password}'")
    server = os.environ["TEST_POSTGRES_URL"]
    with psycopg.connect(server, autocommit=True) as session:
        for statement in statements.split(";\n"):
            session.execute(statement.encode())
    parts = urlsplit(server)
    return f"postgresql://{name}:{password}@{parts.hostname}:{parts.port}/{name}"


@pytest.mark.skipif(
    settings.ROOT_URLCONF != "config.urls" or connection.vendor != "postgresql",
    reason="the page makes a PostgreSQL role",
)
def test_the_documented_role_can_migrate_and_serve(serve: Run, database_url: str, tmp_path: Path) -> None:
    port = serve(**standalone(database_url=database_url, directory=tmp_path)).await_ready()

    body = {"email": "alice@example.com", "password": "correct horse battery"}
    assert call(port, "POST", "/v1/signup", body).status == 201
