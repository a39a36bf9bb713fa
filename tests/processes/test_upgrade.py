"""An upgrade without a stop: an earlier release serves before and after the migrations, and this one after them."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from tests.client import PASSWORD

from .conftest import Run
from .running import ROOT, Running, call, until

PINNED = "0d089008ff9dcc7076340154b0d0987121baceed"
"""The commit of the earlier release."""

pytestmark = pytest.mark.skipif(
    settings.ROOT_URLCONF != "config.urls", reason="the standalone project runs as one command"
)


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """The checkout of the earlier release, with the environment of this one. Skip the test without the history."""
    archive = tmp_path / "earlier.tar"
    packed = subprocess.run(
        ["git", "archive", "-o", archive, PINNED], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if packed.returncode != 0:
        pytest.skip(f"git does not have the commit {PINNED[:7]}: {packed.stderr.strip()}")
    checkout = tmp_path / "earlier"
    checkout.mkdir()
    subprocess.run(["tar", "-xf", archive, "-C", checkout], check=True)
    (checkout / ".venv").symlink_to(sys.prefix)
    return checkout


def use(port: int, email: str) -> None:
    """Use the routes that applications call most, and those that write most tables."""
    credentials = {"email": email, "password": PASSWORD}
    assert call(port, "POST", "/v1/signup", credentials).status in {201, 409}
    tokens = call(port, "POST", "/v1/login", credentials).data
    tokens = call(port, "POST", "/v1/refresh", {"refresh_token": tokens["refresh_token"]}).data
    access = tokens["access_token"]
    for path in ("/v1/verify", "/v1/sessions", "/v1/api-keys", "/v1/identities", "/v1/passkeys"):
        assert call(port, "GET", path, token=access).status == 200
    assert call(port, "POST", "/v1/totp/enroll", token=access).status == 200
    assert call(port, "POST", "/v1/api-keys", {"name": "backup"}, token=access).status == 201
    assert call(port, "POST", "/v1/magic-link/request", {"email": email}).status == 200
    assert call(port, "POST", "/v1/login", {**credentials, "password": "wrong battery"}).status == 401
    assert call(port, "POST", "/v1/logout-all", token=access).status == 200


@pytest.mark.usefixtures("without_tables")
def test_two_releases_run_on_one_database_before_and_after_the_migrations(
    serve: Run, manage: Run, earlier: Path, variables: dict[str, str], tmp_path: Path
) -> None:
    old = Running("serve", "--port", "0", "--workers", "1", variables=variables, directory=tmp_path, root=earlier)
    try:
        old_port = old.await_ready()
        use(old_port, "alice@example.com")

        # The new release waits, because the schema is that of the earlier release.
        new = serve("--no-migrate", "--no-worker")
        until(lambda: "lacks migrations of this release" in new.err.read_text(), what="the wait for the migrations")
        use(old_port, "bob@example.com")

        assert manage("migrate", "--no-input").exit_code() == 0
        # The schema is that of the new release, and the earlier one still runs.
        new_port = new.await_ready()
        use(old_port, "alice@example.com")
        use(old_port, "eve@example.com")
        use(new_port, "eve@example.com")
        use(new_port, "bob@example.com")
        assert [
            line for server in (old, new) for line in server.err.read_text().splitlines() if '"error"' in line
        ] == []
        assert (old.stop(), new.stop()) == (0, 0)
    finally:
        old.kill()
