"""The examples of docs/verify-tokens.md, each run unchanged against a real server."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from tests.client import PASSWORD
from tests.loopback import response, serving
from tests.placement import TAKES_LONG

from .conftest import Run
from .packages import CACHE, INSTALL_SECONDS, install, package_directory
from .running import ROOT, call

PAGE = ROOT / "docs" / "verify-tokens.md"
RUN_SECONDS = 60
HOUR = 3600
PYTHON_MAIN = """
import sys, jwt, verify
for token in sys.stdin.read().split():
    try:
        print(verify.verify(token)["sub"])
    except jwt.PyJWTError:
        print()
"""

pytestmark = [
    pytest.mark.once,
    pytest.mark.timeout(INSTALL_SECONDS + RUN_SECONDS + 60),
]


def prepare_python(directory: Path) -> list[str]:
    return [sys.executable, "-c", PYTHON_MAIN]


def prepare_node(directory: Path) -> list[str]:
    if not (directory / "node_modules").exists():
        install(["npm", "ci", "--no-audit", "--no-fund", "--fetch-retries=1"], directory=directory)
    return ["node", "main.mjs"]


def prepare_go(directory: Path) -> list[str]:
    own = {
        "GOMODCACHE": str(CACHE / "go-modules"),
        "GOCACHE": str(CACHE / "go-build"),
        # Go must fetch no other toolchain. The cache must stay deletable.
        "GOTOOLCHAIN": "local",
        "GOFLAGS": "-modcacherw",
    }
    install(["go", "mod", "download"], directory=directory, **own)
    subprocess.run(["go", "build", "-o", "verifier", "."], cwd=directory, env={**os.environ, **own}, check=True)
    return ["./verifier"]


def prepare_java(directory: Path, *, boot: str) -> list[str]:
    pom = directory / "pom.xml"
    text = pom.read_text().replace("<!-- the dependency of docs/verify-tokens.md -->", example("xml"))
    pom.write_text(text)
    packages = directory / f"lib-{boot}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    if not packages.exists():
        new = packages.with_suffix(".new")
        copy = ["dependency:copy-dependencies", f"-DoutputDirectory={new}", f"-Dboot.version={boot}"]
        install(["mvn", "-q", "-B", *copy, f"-Dmaven.repo.local={CACHE / 'maven'}"], directory=directory)
        new.rename(packages)
    classes = f"{packages}/*"
    compile_both = ["javac", "-d", f"classes-{boot}", "-cp", classes, "Tokens.java", "Main.java"]
    subprocess.run(compile_both, cwd=directory, check=True)
    return ["java", "-cp", f"{classes}:classes-{boot}", "Main"]


_JAVA = ("java", "javac", "mvn")
EXAMPLES: Mapping[str, tuple[str, str, Sequence[str], Callable[[Path], list[str]]]] = {
    # The fence on the page, the file for the example, the required programs, and the preparation.
    "python": ("python", "verify.py", (), prepare_python),
    "node": ("js", "verify.mjs", ("node", "npm"), prepare_node),
    "go": ("go", "verify.go", ("go",), prepare_go),
    "java with Spring Boot 3.4": ("java", "Tokens.java", _JAVA, partial(prepare_java, boot="3.4.10")),
    "java with Spring Boot 3.5": ("java", "Tokens.java", _JAVA, partial(prepare_java, boot="3.5.6")),
}

LANGUAGES = [
    pytest.param(language, marks=TAKES_LONG if language.startswith(("go", "java")) else ()) for language in EXAMPLES
]


def example(fence: str) -> str:
    """Return the only code block of the page with that fence."""
    (block,) = re.findall(rf"^```{fence}\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    return str(block)


def forge(claims: Mapping[str, Any], key: Any, kid: str, *, typ: str = "at+jwt", **changed: Any) -> str:
    """Return a token with these claims. `typ`, claims or the key differ from those of a valid token."""
    return jwt.encode({**claims, **changed}, key, algorithm="ES256", headers={"kid": kid, "typ": typ})


def bad_tokens(good: str, *, keys_file: Path) -> dict[str, str]:
    """Return invalid tokens by their defect. Every other part of each token is valid."""
    kid = jwt.get_unverified_header(good)["kid"]
    claims = jwt.decode(good, options={"verify_signature": False})
    ring = {key["kid"]: key for key in json.loads(keys_file.read_text())["keys"]}
    key = jwt.PyJWK(ring[kid]).key
    stranger = ec.generate_private_key(ec.SECP256R1())
    now = int(time.time())
    header, _, signature = good.split(".")
    return {
        "expired": forge(claims, key, kid, iat=now - HOUR, nbf=now - HOUR, exp=now - HOUR // 2),
        "not valid yet": forge(claims, key, kid, nbf=now + HOUR, exp=now + 2 * HOUR),
        "another audience": forge(claims, key, kid, aud="another"),
        "another issuer": forge(claims, key, kid, iss="https://eve.example.com"),
        "another type": forge(claims, key, kid, typ="JWT"),
        "bound to a key": forge(claims, key, kid, cnf={"jkt": "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"}),
        "another key": forge(claims, stranger, kid),
        "no algorithm": jwt.encode(claims, "", algorithm="none", headers={"kid": kid, "typ": "at+jwt"}),
        "another payload": f"{header}.{forge({**claims, 'sub': 'eve'}, key, kid).split('.')[1]}.{signature}",
        "no token": "srt_f3qJcM0yqk6bN5vE3uD1xT8rWz2oHhG7aLpQeYsVnKI",
    }


def verify(tokens: Sequence[str], *, language: str, port: int, directory: Path) -> list[str]:
    """Return the subject of each token, or "" for a refused token.

    The example fetches the keys from the port. May skip.
    """
    fence, name, programs, prepare = EXAMPLES[language]
    # Without these programs, the test names them in its skip.
    missing = [program for program in programs if shutil.which(program) is None]
    if missing:
        pytest.skip(f"not on the PATH: {', '.join(missing)}")
    with ExitStack() as stack:
        if programs:
            directory = stack.enter_context(package_directory(language.partition(" ")[0]))
        here = f"http://localhost:{port}/.well-known"
        (directory / name).write_text(example(fence).replace("https://auth.example.com/.well-known", here))
        done = subprocess.run(
            prepare(directory),
            cwd=directory,
            input="\n".join(tokens),
            capture_output=True,
            text=True,
            timeout=RUN_SECONDS,
            check=True,
        )
    return done.stdout.split("\n")[:-1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_example_accepts_a_valid_token_and_refuses_all_others(language: str, serve: Run, tmp_path: Path) -> None:
    server = serve("--no-worker", TOKEN_ISSUER="https://auth.example.com")
    port = server.await_ready()
    person = {"email": "alice@example.com", "password": PASSWORD}
    user_id = call(port, "POST", "/v1/signup", person).data["user_id"]
    good = call(port, "POST", "/v1/login", person).data["access_token"]
    bad = bad_tokens(good, keys_file=tmp_path / "keys" / "signing-keys.json")

    first, *subjects, last = verify([good, *bad.values(), good], language=language, port=port, directory=tmp_path)

    assert (first, last) == (user_id, user_id)
    assert {what: subject for what, subject in zip(bad, subjects, strict=True) if subject} == {}
    asked = [line for line in server.logged("request") if line["route"].endswith("jwks.json")]
    assert len(asked) == 1, "the keys are not cached"


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_example_does_not_cache_an_answer_that_is_not_a_key_set(language: str, tmp_path: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    public = jwt.algorithms.ECAlgorithm.to_jwk(key.public_key(), as_dict=True)
    keys = json.dumps({"keys": [{**public, "kid": "1", "alg": "ES256", "use": "sig"}]}).encode()
    claims = {"iss": "https://auth.example.com", "aud": "authsvc", "sub": "alice", "exp": int(time.time()) + HOUR}
    as_json = "Content-Type: application/json\r\n"
    overloaded = response(b'{"error": {"code": "overloaded"}}', status="503 Service Unavailable", headers=as_json)
    answers = iter([overloaded])

    with serving(lambda _peer, send: send(next(answers, response(keys, headers=as_json)))) as peer:
        tokens = [forge(claims, key, "1")] * 3
        *_, last = verify(tokens, language=language, port=peer.port, directory=tmp_path)

    assert last == "alice"
