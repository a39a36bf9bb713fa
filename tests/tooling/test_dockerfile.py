"""The image, tested without a build: its files, its user, its start, its answers and its end."""

import json
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path

import pytest

from accounts.passwords.argon2id import FAST_BUILD
from tests.processes.running import PATIENCE, ROOT, until
from tools.local_postgres import free_port

pytestmark = pytest.mark.once

SECRETS = {
    "SECRET_KEY": "only-for-tests",
    "ENCRYPTION_KEY": "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
    "BASE_URL": "https://auth.example.com",
    "EMAIL_URL": "console://",
}


def instructions(name: str) -> list[str]:
    """Return the arguments of the instructions with that name, each on one line."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    return [rest.strip() for found, _, rest in (line.partition(" ") for line in text.splitlines()) if found == name]


def command(name: str) -> list[str]:
    """Return the words of the last instruction with that name, which must be in exec form."""
    found: list[str] = json.loads(re.sub(r"^[^\[]*", "", instructions(name)[-1]))
    return found


def is_in_context(path: Path) -> bool:
    """Return whether .dockerignore includes the file.

    The last line that matches the file or a parent directory decides.
    """
    below = path.relative_to(ROOT)
    ancestry = [below, *below.parents][:-1]
    taken = True
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        pattern = line.removeprefix("!")
        names = [part.name for part in ancestry] if pattern.startswith("**/") else [str(part) for part in ancestry]
        if line and not line.startswith("#") and any(fnmatch(name, pattern.removeprefix("**/")) for name in names):
            taken = line.startswith("!")
    return taken


def ignore(directory: str, names: list[str]) -> list[str]:
    """Return the names to leave out, in the form that shutil.copytree expects."""
    return [name for name in names if not is_in_context(Path(directory, name))]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that `COPY .` copies, in a separate directory."""
    copy = tmp_path_factory.mktemp("image") / "app"
    shutil.copytree(ROOT, copy, ignore=ignore)
    return copy


def environment(data: Path) -> dict[str, str]:
    """Return the variables of a container whose volume is `data`."""
    pairs = [pair.partition("=") for rest in instructions("ENV") for pair in rest.split()]
    of_image = {name: value.replace("/data", str(data)) for name, _, value in pairs}
    return {**of_image, **SECRETS, "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"}


@contextmanager
def container(tree: Path, *, data: Path, port: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run the image's command on another port."""
    words = [port if word == "8000" else word for word in command("ENTRYPOINT") + command("CMD")]
    with (data / "log").open("wb") as log:
        process = subprocess.Popen(words, cwd=tree, env=environment(data), stdin=subprocess.DEVNULL, stderr=log)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def is_healthy(tree: Path, *, data: Path, port: str) -> bool:
    """Return the result of the health check."""
    words = [word.replace("8000", port) for word in command("HEALTHCHECK")]
    done = subprocess.run(words, cwd=tree, env=environment(data), capture_output=True, timeout=PATIENCE, check=False)
    return done.returncode == 0


def test_only_listed_files_are_in_the_image() -> None:
    inside = {path.name for path in ROOT.iterdir() if is_in_context(path)}

    assert inside - {"templates"} == {
        *(
            "accounts",
            "apikeys",
            "askai",
            "config",
            "console",
            "core",
            "events",
            "mail",
            "mfa",
            "oidc",
            "pages",
            "sessions_app",
            "manage.py",
        ),
        *("requirements.image.lock", "requirements.runtime.lock"),
    }
    assert not is_in_context(ROOT / ".env")
    assert not is_in_context(ROOT / "accounts" / "core" / "__pycache__" / "conf.cpython-311.pyc")
    assert is_in_context(ROOT / "accounts" / "core" / "conf.py")
    assert is_in_context(ROOT / "templates")


def test_every_source_of_a_copy_exists() -> None:
    sources = [word for rest in instructions("COPY") if not rest.startswith("--from=") for word in rest.split()[:-1]]

    assert "." in sources
    assert [
        name for name in sources if name != "." and not (is_in_context(ROOT / name) and (ROOT / name).exists())
    ] == []


def test_the_image_does_not_run_as_root() -> None:
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", instructions("USER")[-1])


def test_the_image_contains_no_secret() -> None:
    named = {pair.partition("=")[0] for name in ("ENV", "ARG") for rest in instructions(name) for pair in rest.split()}

    assert not {name for name in named if re.search(r"KEY$|SECRET|PASSWORD|TOKEN", name)}


def test_the_service_knows_the_directory_of_the_argon2_that_the_image_builds() -> None:
    [directory] = re.findall(r"--target (\S+)", " ".join(instructions("RUN")))

    assert Path(directory).name == FAST_BUILD


def test_the_files_of_the_image_start_answer_and_stop_on_sigterm(tree: Path, tmp_path: Path) -> None:
    port = str(free_port())
    data = tmp_path

    assert not is_healthy(tree, data=data, port=port)
    with container(tree, data=data, port=port) as process:
        until(lambda: process.poll() is not None or is_healthy(tree, data=data, port=port), what="a healthy container")
        assert process.poll() is None, (data / "log").read_text()
        process.send_signal(signal.SIGTERM)

        assert process.wait(PATIENCE) == 0
    assert {"auth.sqlite3", "signing-keys.json"} <= {path.name for path in data.iterdir()}
