"""The packages of the clients, as a registry would have them: built, installed elsewhere, and used with the service."""

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.browser.service import Service
from tests.client import PASSWORD
from tests.hosts.environments import install, output_of
from tests.placement import TAKES_LONG
from tests.processes.running import ROOT

from .building import built_client, pack

pytestmark = [pytest.mark.once, pytest.mark.timeout(240), TAKES_LONG]

PAGE = ROOT / "docs" / "clients.md"
IN_PYTHON = """
import sys
from gatehouse_client import Gatehouse, RevocationList

with Gatehouse(sys.argv[1]) as gatehouse:
    gatehouse.login(*sys.argv[2:])
    print(gatehouse.me()["email"], len(gatehouse.request("GET", "/v1/sessions")))
"""
IN_NODE = """
import { Gatehouse, memory } from "gatehouse-client";
import { RevocationList } from "gatehouse-client/revocations";

const [baseUrl, email, password] = process.argv.slice(2);
const gatehouse = new Gatehouse({ baseUrl, storage: memory() });
await gatehouse.login(email, password);
console.log((await gatehouse.me()).email, (await gatehouse.request("GET", "/v1/sessions")).length, typeof RevocationList);
"""
TYPED = """
import { Gatehouse, memory, type Profile } from "gatehouse-client";
import { RevocationList } from "gatehouse-client/revocations";

const me: Profile = await new Gatehouse({ baseUrl: "https://auth.example.com", storage: memory() }).me();
// @ts-expect-error: a list of texts
const factors: number = me.factors;
export { factors, RevocationList };
"""


def test_the_package_in_python_works_where_it_is_installed(service: Service, tmp_path: Path) -> None:
    source = tmp_path / "source"
    shutil.copytree(ROOT / "clients" / "python", source, ignore=shutil.ignore_patterns("build", "dist", "*.egg-info"))

    # It makes the sdist first, and the wheel from it.
    output_of(sys.executable, "-m", "build", "--no-isolation", cwd=source)

    (wheel,) = (source / "dist").glob("*.whl")
    assert wheel.name in PAGE.read_text()
    names = {name.partition("/")[2] for name in zipfile.ZipFile(wheel).namelist()}
    assert {"py.typed", "api.py", "licenses/LICENSE", "METADATA"} <= names
    install([f"gatehouse-client @ {wheel.as_uri()}"], directory=tmp_path)
    python = tmp_path / "venv" / "bin" / "python"
    alice = service.sign_up()
    said = output_of(python, "-I", "-c", IN_PYTHON, service.url, alice.email, PASSWORD, cwd=tmp_path)
    assert said.split() == [alice.email, "2"]
    typed = 'from gatehouse_client import Gatehouse\n{} = Gatehouse("https://auth.example.com").me()["email"]'
    mypy = (sys.executable, "-m", "mypy", "--python-executable", str(python), "--config-file", "", "-c")
    for statement, expected in ((typed.format("email: str"), 0), (typed.format("number: int"), 1)):
        done = subprocess.run([*mypy, statement], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == expected, done.stdout


def test_the_package_for_node_works_where_it_is_installed(service: Service, tmp_path: Path) -> None:
    built = built_client()

    package = pack(built, directory=tmp_path)

    assert package.name in PAGE.read_text()
    with tarfile.open(package) as archive:
        names = {name.removeprefix("package/") for name in archive.getnames()}
    assert {"package.json", "README.md", "LICENSE", "dist/index.js", "dist/index.d.ts", "dist/revocations.js"} <= names
    assert not [name for name in names if name.startswith(("src/", "test/", "node_modules/"))]
    application = tmp_path / "application"
    application.mkdir()
    (application / "package.json").write_text('{"name": "application", "private": true, "type": "module"}')
    output_of("npm", "install", "--offline", "--no-audit", "--no-fund", package, cwd=application)
    (application / "main.mjs").write_text(IN_NODE)
    alice = service.sign_up()
    said = output_of("node", "main.mjs", service.url, alice.email, PASSWORD, cwd=application)
    assert said.split() == [alice.email, "2", "function"]
    (application / "main.ts").write_text(TYPED)
    for resolution in (("--module", "nodenext"), ("--module", "esnext", "--moduleResolution", "bundler")):
        options = ("--noEmit", "--strict", "--target", "es2022", "--types", "", *resolution)
        output_of(built / "node_modules" / ".bin" / "tsc", *options, "main.ts", cwd=application)
