"""A Spring application signs in by its guide."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.browser.service import Service
from tests.placement import TAKES_LONG
from tests.processes.packages import CACHE, INSTALL_SECONDS, install

from .flows import application, need
from .guide import Guide

SOURCES = Path(__file__).parent / "java"
PLACE = "<!-- the dependencies of docs/sign-in-to/spring-security.md -->"

pytestmark = [pytest.mark.once, TAKES_LONG, pytest.mark.timeout(INSTALL_SECONDS + 240)]


def test_spring_security_signs_in_refreshes_and_is_signed_out(service: Service, tmp_path: Path) -> None:
    need("java", "javac", "mvn")
    guide = Guide(name="spring-security")
    guide.write(tmp_path, "java", "yaml")
    [dependencies] = guide.blocks("xml")
    pom = (SOURCES / "pom.xml").read_text()
    assert PLACE in pom
    (tmp_path / "pom.xml").write_text(pom.replace(PLACE, dependencies))
    copy = ["dependency:copy-dependencies", f"-DoutputDirectory={tmp_path / 'lib'}"]
    install(["mvn", "-q", "-B", *copy, f"-Dmaven.repo.local={CACHE / 'maven'}"], directory=tmp_path)
    # Maven's compiler keeps the names of parameters, which Spring reads.
    compiled = ["javac", "-parameters", "-d", "classes", "-cp", "lib/*", "src/main/java/app/Application.java"]
    subprocess.run(compiled, cwd=tmp_path, check=True)
    shutil.copy(tmp_path / "src/main/resources/application.yml", tmp_path / "classes")

    command = ["java", "-cp", "lib/*:classes", "app.Application"]
    with application("spring-security", service=service, command=command, directory=tmp_path) as app:
        app.sign_in_refresh_and_be_signed_out(
            entry="/oauth2/authorization/gatehouse", receiver="/logout/connect/back-channel/gatehouse"
        )
