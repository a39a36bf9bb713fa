"""Backup and restore of both databases, by the programs for operators."""

import os
import subprocess
import sys
import time
from pathlib import Path

from tests.processes.running import ROOT
from tools.local_postgres import _programs, unprivileged

from .stage import Outcome, Progress

REHEARSAL = ROOT / "deploy" / "backup" / "rehearse.py"
FAILED = "FAILED"


def restore(*, directory: Path) -> Outcome:
    """Run the rehearsal once, with the programs of PostgreSQL that ./dev has."""
    progress = Progress("restore")
    started = time.monotonic()
    variables = {
        **os.environ,
        "PATH": f"{_programs(venv=Path(sys.prefix))}{os.pathsep}{os.environ['PATH']}",
        "TMPDIR": str(directory),
    }
    # The programs of a server refuse to run as root.
    prefix, owner = unprivileged()
    os.chown(directory, owner, -1)
    command = [*prefix, sys.executable, str(REHEARSAL)]
    lines = []
    with subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as run:
        assert run.stdout is not None
        for line in run.stdout:
            lines.append(line.strip())
            progress.report_now(lines[-1])
    lost = [line.removeprefix(FAILED).strip() for line in lines if line.startswith(FAILED)]
    if run.returncode and not lost:
        lost = [f"the rehearsal broke down: {' '.join(lines[-5:])}"]
    passed = sum(line.startswith("ok ") for line in lines)
    return Outcome(
        drill="restore",
        done="SQLite and PostgreSQL backed up under a running service, destroyed, and restored to an earlier time",
        lost=lost,
        figures=f"{passed} checks passed in {time.monotonic() - started:.0f} s",
    )
