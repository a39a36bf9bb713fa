"""Programs of peers, built or fetched through the registries of their languages, and kept below var/."""

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

from tests.processes.running import ROOT

from .conditions import Missing

PLACE = ROOT / "var" / "peers"
MAVEN_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """An executable file, and the version that the tables name."""

    path: Path
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GoModule:
    """A program in the root of a Go module. `key` names it in --peer-source, and `version` is the pinned one."""

    key: str
    path: str
    version: str

    def build(self, *, sources: Path | None) -> Program:
        """Return the program, built from the sources, or else from the pinned version of Go's module proxy.

        Raise Missing without Go, without the module, and when the build fails.
        """
        _require("go", advice="Install Go 1.25 or newer.")
        directory = self._download() if sources is None else self._checked(sources)
        version = self.version if sources is None else _described(sources)
        program = PLACE / self.key / version / self.key
        sys.stderr.write(f"building {self.key} {version}, which takes some minutes at first\n")
        command = ["env", "CGO_ENABLED=0", "go", "build", "-trimpath", "-o", str(program), "."]
        if subprocess.run(command, cwd=directory, stdin=subprocess.DEVNULL, check=False).returncode:
            raise Missing("`go build` failed with the errors above. A newer Go may be needed.")
        return Program(path=program, version=version)

    def _download(self) -> Path:
        """Return the directory of the module in Go's cache."""
        command = ["go", "mod", "download", "-json", f"{self.path}@{self.version}"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False)
        found = json.loads(done.stdout or "{}")
        if "Dir" not in found:
            sys.stderr.write(f"{found.get('Error', '')}\n")
            raise Missing(
                f"Go's module proxy did not serve {self.path} {self.version}. Get its sources, and name their directory "
                f"with `--peer-source {self.key}=PATH`."
            )
        return Path(found["Dir"])

    def _checked(self, sources: Path) -> Path:
        file = sources / "go.mod"
        if not file.is_file() or f"module {self.path}\n" not in file.read_text():
            raise Missing(f"{sources} has no go.mod of the module {self.path}. Name the root of its sources.")
        return sources


def fetch_distribution(*, key: str, group: str, artifact: str, version: str) -> Path:
    """Return the directory into which the zip of that Maven artifact was unpacked.

    Raise Missing without Java or Maven, and when Maven cannot fetch the artifact.
    """
    _require("java", advice="Install Java 17 or newer.")
    _require("mvn", advice="Install Apache Maven 3.")
    place = PLACE / key / version
    if not place.exists():
        sys.stderr.write(f"fetching {artifact} {version} with Maven\n")
        coordinates = f"{group}:{artifact}:{version}:zip"
        fetched = PLACE / key / "fetched"
        command = ["mvn", "--quiet", "--batch-mode", MAVEN_COPY]
        options = [f"-Dartifact={coordinates}", f"-DoutputDirectory={fetched}"]
        if subprocess.run([*command, *options], stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False).returncode:
            raise Missing(f"Maven could not fetch {coordinates}. Its errors are above.")
        unpacked = fetched / "unpacked"
        shutil.rmtree(unpacked, ignore_errors=True)
        [archive] = fetched.glob(f"{artifact}-{version}.zip")
        with ZipFile(archive) as content:
            content.extractall(unpacked)
        # The rename comes last, so that an interrupted call leaves no half of a distribution.
        unpacked.rename(place)
        shutil.rmtree(fetched)
    [directory] = place.iterdir()
    return directory


def run(command: Sequence[str], *, name: str, variables: dict[str, str], cwd: Path = ROOT) -> None:
    """Run a command of a peer. RuntimeError contains its output when it fails."""
    done = subprocess.run(
        command,
        cwd=cwd,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{name} failed:\n{done.stdout[-3000:]}")


def _require(program: str, *, advice: str) -> None:
    if shutil.which(program) is None:
        raise Missing(f"`{program}` is not installed on this machine. {advice}")


def _described(sources: Path) -> str:
    """Return the tag of the sources, or that they have none."""
    if not (sources / ".git").exists():
        return "sources"
    command = ["git", "-C", str(sources), "describe", "--tags", "--always"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return done.stdout.strip() or "sources"
