"""The clients that generators write from the description of the API, in other languages. Each compiles.

The commands of openapi-generator are those of docs/clients.md. A test whose tool or registry is missing is skipped.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from django.conf import settings

from core.http.openapi import document
from tests.placement import TAKES_LONG
from tests.processes.packages import CACHE, install
from tests.processes.running import ROOT

PAGE = ROOT / "docs" / "clients.md"
GENERATOR = "7.17.0"
COMPILE_SECONDS = 400
DESCRIPTION = "openapi.json"
IN_GO = {"GOMODCACHE": str(CACHE / "go-modules"), "GOCACHE": str(CACHE / "go-build"), "GOFLAGS": "-modcacherw"}
TSC = ["npx", "--no-install", "tsc", "--noEmit", "--strict", "--skipLibCheck", "--target", "es2022"]
OF_A_BUNDLER = ["--module", "esnext", "--moduleResolution", "bundler", "--lib", "es2022,dom,dom.iterable"]

pytestmark = [
    pytest.mark.once,
    pytest.mark.timeout(900),
    TAKES_LONG,
]


def run(*command: str | Path, directory: Path, **variables: str) -> None:
    """Run the command. Raises AssertionError with the end of its output when it fails."""
    done = subprocess.run(
        command,
        cwd=directory,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=COMPILE_SECONDS,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]


def openapi_generator(language: str, directory: Path) -> Path:
    """Write the client by the command of the page, and return its directory."""
    jar = f"openapi-generator-cli-{GENERATOR}.jar"
    if not (CACHE / jar).exists():
        artifact = f"-Dartifact=org.openapitools:openapi-generator-cli:{GENERATOR}"
        repository = f"-Dmaven.repo.local={CACHE / 'maven'}"
        install(["mvn", "-q", "-B", "dependency:get", artifact, "-Dtransitive=false", repository], directory=directory)
        copy = [f"{artifact}:jar", f"-DoutputDirectory={CACHE}", repository]
        install(["mvn", "-q", "-B", "dependency:copy", *copy], directory=directory)
    (documented,) = re.findall(r"^java -jar openapi-generator-cli.jar (.+)$", PAGE.read_text(), re.MULTILINE)
    arguments = documented.replace("LANGUAGE", language).split()
    run("java", "-jar", CACHE / jar, *arguments, directory=directory)
    return directory / "client"


def compile_java(directory: Path) -> None:
    client = openapi_generator("java", directory)
    local = [f"-Dmaven.repo.local={CACHE / 'maven'}"]
    install(["mvn", "-q", "-B", "dependency:resolve", *local], directory=client)
    run("mvn", "-q", "-B", "compile", *local, directory=client)


def compile_go(directory: Path) -> None:
    client = openapi_generator("go", directory)
    install(["go", "mod", "download"], directory=client, **IN_GO)
    run("go", "build", "-mod=mod", "./...", directory=client, **IN_GO)


def compile_typescript_fetch(directory: Path) -> None:
    client = openapi_generator("typescript-fetch", directory)
    npm("typescript@5.9.3", directory=directory)
    run(*TSC, *OF_A_BUNDLER, str(client / "index.ts"), directory=directory)


def compile_openapi_typescript(directory: Path) -> None:
    npm("typescript@5.9.3", "openapi-typescript@7.13.0", directory=directory)
    run("npx", "--no-install", "openapi-typescript", DESCRIPTION, "-o", "api.ts", directory=directory)
    run(*TSC, *OF_A_BUNDLER, "api.ts", directory=directory)


def compile_hey_api(directory: Path) -> None:
    npm("typescript@5.9.3", "@hey-api/openapi-ts@0.99.0", directory=directory)
    run("npx", "--no-install", "openapi-ts", "-i", DESCRIPTION, "-o", "client", directory=directory)
    run(*TSC, *OF_A_BUNDLER, "client/index.ts", directory=directory)


def compile_oapi_codegen(directory: Path) -> None:
    (directory / "go.mod").write_text("module example.com/gatehouse\n")
    tool = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2"
    install(["go", "install", tool], directory=directory, GOBIN=str(directory / "bin"), **IN_GO)
    options = ["-generate", "types,client", "-package", "gatehouse", "-o", "client.go", DESCRIPTION]
    run(directory / "bin" / "oapi-codegen", *options, directory=directory)
    install(["go", "mod", "tidy"], directory=directory, **IN_GO)
    run("go", "build", "./...", directory=directory, **IN_GO)


def npm(*packages: str, directory: Path) -> None:
    (directory / "package.json").write_text(json.dumps({"private": True}))
    install(["npm", "install", "--no-audit", "--no-fund", "--fetch-retries=1", *packages], directory=directory)


GENERATORS: Mapping[str, tuple[Sequence[str], Callable[[Path], None]]] = {
    # The programs that the generator and the compiler need, and the function that runs both.
    "openapi-generator java": (("java", "javac", "mvn"), compile_java),
    "openapi-generator go": (("java", "mvn", "go"), compile_go),
    "openapi-generator typescript-fetch": (("java", "mvn", "node", "npm"), compile_typescript_fetch),
    "openapi-typescript": (("node", "npm"), compile_openapi_typescript),
    "hey-api": (("node", "npm"), compile_hey_api),
    "oapi-codegen": (("go",), compile_oapi_codegen),
}


@pytest.mark.parametrize("generator", GENERATORS)
def test_a_generated_client_compiles(generator: str, tmp_path: Path) -> None:
    programs, generate_and_compile = GENERATORS[generator]
    missing = [program for program in programs if shutil.which(program) is None]
    if missing:
        pytest.skip(f"{generator} needs programs that are not on the PATH: {', '.join(missing)}")
    CACHE.mkdir(parents=True, exist_ok=True)
    described = document(urlconf=settings.ROOT_URLCONF, server="https://auth.example.com")
    (tmp_path / DESCRIPTION).write_bytes(described)

    generate_and_compile(tmp_path)
