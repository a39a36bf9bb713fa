"""The units of systemd, checked by its own program."""

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
