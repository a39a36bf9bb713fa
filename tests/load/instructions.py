"""`./dev bench --instructions`: the instructions of a request, which stay the same on a busy machine.

callgrind counts the instructions of the process in user space. The kernel, the server granian and the database server are
outside. A login is counted with the smallest hash, so the figure is that of all its other work.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.processes.running import ROOT

from . import report

CHEAPEST_HASH = {"ARGON2_MEMORY_KIB": "8", "ARGON2_TIME": "1"}


def count_instructions(*, variables: Mapping[str, str], directory: Path) -> str:
    """Return the table of the paths. Raises RuntimeError without valgrind."""
    if shutil.which("valgrind") is None:
        raise RuntimeError("valgrind is missing. Install it, for example by: apt-get install valgrind")
    output = directory / "callgrind"
    callgrind = ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--dump-before=getsid"]
    command = [*callgrind, f"--callgrind-out-file={output}", sys.executable, "-m", "tests.load.counted_requests"]
    # Fixed hashes of Python's texts, so that two runs of one commit differ by less than a hundredth.
    own = {"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0", **variables, **CHEAPEST_HASH}
    with (directory / "callgrind.log").open("w") as log:
        finished = subprocess.run(command, cwd=ROOT, env=own, stdout=subprocess.PIPE, stderr=log, text=True, check=True)
    counted: dict[str, int] = json.loads(finished.stdout)
    # Each path has a dump before its requests, and one after them.
    rows = [
        [name, f"{_total(Path(f'{output}.{2 * number + 2}')) / requests:,.0f}"]
        for number, (name, requests) in enumerate(counted.items())
    ]
    return report.table(["path", "instructions per request"], rows)


def _total(dump: Path) -> int:
    line = next(line for line in dump.read_text(errors="replace").splitlines() if line.startswith("totals:"))
    return int(line.split()[1])
