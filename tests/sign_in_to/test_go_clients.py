"""Clients of Go sign in by their guides: go-oidc."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.browser.service import Service
from tests.placement import TAKES_LONG
from tests.processes.packages import CACHE, INSTALL_SECONDS, install

from .flows import application, need
from .guide import Guide

SOURCES = Path(__file__).parent / "go"
BUILD_SECONDS = 300
VARIABLES = {
    "GOMODCACHE": str(CACHE / "go-modules"),
    "GOCACHE": str(CACHE / "go-build"),
    # Go must fetch no other toolchain. The cache must stay deletable.
    "GOTOOLCHAIN": "local",
    "GOFLAGS": "-modcacherw",
}

pytestmark = [pytest.mark.once, TAKES_LONG, pytest.mark.timeout(INSTALL_SECONDS + BUILD_SECONDS + 120)]


def test_go_oidc_signs_in_refreshes_and_is_signed_out(service: Service, tmp_path: Path) -> None:
    need("go")
    for name in ("go.mod", "go.sum"):
        shutil.copy(SOURCES / name, tmp_path)
    install(["go", "mod", "download"], directory=tmp_path, **VARIABLES)
    Guide(name="go-oidc").write(tmp_path, "go")
    build = ["go", "build", "-o", "application", "."]
    subprocess.run(build, cwd=tmp_path, env={**os.environ, **VARIABLES}, check=True, timeout=BUILD_SECONDS)

    with application("go-oidc", service=service, command=["./application"], directory=tmp_path) as app:
        app.sign_in_refresh_and_be_signed_out()
