"""The units of systemd, checked by its own program."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes.running import ROOT

pytestmark = pytest.mark.once

UNITS = sorted((ROOT / "deploy" / "systemd").glob("*.service"))
EXPOSURE_MAX = 15
"""In tenths. systemd calls an exposure below 2.0 OK."""


@pytest.fixture(params=UNITS, ids=lambda path: path.name)
def unit(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A unit whose program exists on this machine."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed (package systemd)")
    for path in UNITS:
        text = path.read_text().replace("/opt/gatehouse/venv/bin/python", sys.executable)
        (tmp_path / path.name).write_text(text)
    copy: Path = tmp_path / request.param.name
    return copy


def test_the_unit_is_valid(unit: Path) -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")


def test_the_unit_exposes_little(unit: Path) -> None:
    command = ["systemd-analyze", "security", "--offline=true", f"--threshold={EXPOSURE_MAX}", str(unit)]

    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout


def test_a_command_runs_with_the_user_the_variables_and_the_directory_of_the_units() -> None:
    script = (ROOT / "deploy" / "systemd" / "gatehouse-manage").read_text()
    [command] = re.findall(r"^exec (systemd-run .*)", script.replace("\\\n", " "), re.MULTILINE)
    options = dict(re.findall(r"--(?:property=|setenv=)?([\w-]+)=(\S+)", command))

    for unit in UNITS:
        named = dict(re.findall(r"^(\w+)=(.*)$", unit.read_text(), re.MULTILINE))
        assert (options["uid"], options["gid"]) == (named["User"], named["Group"])
        assert options["working-directory"] == named["WorkingDirectory"]
        assert f"SIGNING_KEYS_FILE={options['SIGNING_KEYS_FILE']} " in named["Environment"]
        for name in ("EnvironmentFile", "StateDirectory", "StateDirectoryMode", "UMask"):
            assert options[name] == named[name]
        assert named["ExecStart"].startswith("/opt/gatehouse/venv/bin/python manage.py ")
    assert command.endswith('/opt/gatehouse/venv/bin/python manage.py "$@"')


def test_systemd_knows_each_option_of_the_command() -> None:
    program = shutil.which("systemd-run")
    if program is None:
        pytest.skip("systemd-run is not installed (package systemd)")
    known = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    script = (ROOT / "deploy" / "systemd" / "gatehouse-manage").read_text()

    used = set(re.findall(r"(?<=\s)--[a-z-]+", script))

    assert len(used) >= 7
    assert {option for option in used if option not in known} == set()
