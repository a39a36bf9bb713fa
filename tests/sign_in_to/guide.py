"""The guides of docs/sign-in-to/: a test writes the files of a guide, runs its command and starts the application."""

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from tests.browser.service import Service
from tests.processes.running import ROOT, until

PAGES = ROOT / "docs" / "sign-in-to"
APPLICATION = "https://app.example.com"
"""The origin of the application in every guide. A test replaces it by the address at which the application runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """A client that the command of a guide registered."""

    client_id: str
    secret: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide:
    """A guide. Each block of code begins with a comment that names its file."""

    name: str

    @property
    def page(self) -> Path:
        """The page."""
        return PAGES / f"{self.name}.md"

    def blocks(self, fence: str) -> Sequence[str]:
        """Return the blocks with this fence, in the order of the page."""
        return re.findall(rf"^```{fence}\n(.*?)^```$", self.page.read_text(), re.MULTILINE | re.DOTALL)

    def write(self, directory: Path, *fences: str) -> None:
        """Append each block to the file that its first line names."""
        for fence in fences:
            for block in self.blocks(fence):
                first, _, rest = block.partition("\n")
                found = re.search(r"[\w./-]+\.\w+", first)
                assert found, f"{self.name}: {first} names no file"
                path = directory / found[0]
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text((path.read_text() if path.exists() else "") + rest)

    def register(self, service: Service, *, origin: str) -> Registered:
        """Run the command of the guide for an application at the origin."""
        [command] = re.findall(
            r"^\$ \./dev manage (clients create .*(?:\n>? .*)*)$", self.page.read_text(), re.MULTILINE
        )
        arguments = shlex.split(command.replace("\\\n", " ").replace(APPLICATION, origin))
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=dict(service.variables),
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        values = dict(line.split(maxsplit=1) for line in done.stdout.splitlines() if line.startswith("client_"))
        return Registered(client_id=values["client_id"], secret=values.get("client_secret", ""))


@contextmanager
def running(
    command: Sequence[str | Path], *, directory: Path, origin: str, variables: Mapping[str, str]
) -> Iterator[None]:
    """Run the application until the end of the block. It answers at its origin when the block begins."""
    log = directory / "application.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            list(map(str, command)),
            cwd=directory,
            env={**os.environ, **variables},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            process_group=0,
        )

    def answers() -> bool:
        assert process.poll() is None, log.read_text()
        try:
            urlopen(origin, timeout=5).close()  # noqa: S310 - the address of a process that the test started
        except HTTPError:
            return True
        except (URLError, OSError):
            return False
        return True

    try:
        until(answers, what=f"the application at {origin}")
        yield
    except BaseException:
        sys.stderr.write(log.read_text())
        raise
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
