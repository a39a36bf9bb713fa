"""`./dev bench --image`: the hashes of a checkout, and those with the Argon2 that the image builds for AVX2."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from accounts.passwords.argon2id import FAST_BUILD
from tests.processes.running import ROOT

from . import report

CHECKOUT, IMAGE = "checkout", "image"
HASHES = 20
COST = f"""
import time
from accounts.passwords import hashing
hashing.verify_nothing("correct horse battery")
started = time.process_time()
for _ in range({HASHES}):
    hashing.verify_nothing("correct horse battery")
print((time.process_time() - started) / {HASHES} * 1000)
"""


def compare_builds(*, variables: Mapping[str, str], rounds: int, directory: Path) -> str:
    """Return the table of both builds. Raises CalledProcessError without a C compiler.

    The figures are CPU times, which other programs on the machine change less than rates.
    """
    builds = {CHECKOUT: variables, IMAGE: {**variables, "PYTHONPATH": str(build_argon2(directory))}}
    costs: dict[str, list[float]] = {name: [] for name in builds}
    for number in range(rounds):
        for name in list(builds)[:: -1 if number % 2 else 1]:
            costs[name].append(_hash_cost(builds[name]))
            sys.stderr.write(f"round {number + 1:<8}{name:<14}{costs[name][-1]:>8.2f} ms\n")
    times = [own / image for own, image in zip(costs[CHECKOUT], costs[IMAGE], strict=True)]
    rows = [[name, report.spread(costs[name], "{:.1f} ms")] for name in builds]
    return (
        f"{report.table(['Argon2 of', 'CPU per hash'], rows)}\n\n"
        f"The image computes {report.spread(times, '{:.2f}')} times the hashes of a checkout in the same CPU time. The "
        "checkout uses PyNaCl. The image has argon2-cffi built for AVX2, which was built here by the steps of the "
        "Dockerfile. Each round measured one build after the other, in one thread."
    )


def build_argon2(directory: Path) -> Path:
    """Build argon2-cffi-bindings by the steps of the Dockerfile, and return the directory for `PYTHONPATH`."""
    [pin] = re.findall(
        r"^argon2-cffi-bindings==.*\n(?:\s.*\n)*", (ROOT / "requirements.runtime.lock").read_text(), re.MULTILINE
    )
    lock = directory / "argon2.lock"
    lock.write_text(pin)
    subprocess.run([sys.executable, "-m", "venv", str(directory / "build")], check=True)
    pip = [str(directory / "build" / "bin" / "python"), "-m", "pip", "install", "--quiet", "--require-hashes"]
    subprocess.run([*pip, "-r", str(ROOT / "requirements.image.lock")], check=True)
    source = ["--no-build-isolation", "--no-deps", "--no-compile", "--no-binary", ":all:"]
    target = directory / FAST_BUILD
    # The scripts of the build's own environment must be found, such as ninja.
    variables = {**os.environ, "CFLAGS": "-O3 -mavx2", "PATH": f"{directory}/build/bin:{os.environ['PATH']}"}
    subprocess.run([*pip, *source, "--target", str(target), "-r", str(lock)], env=variables, check=True)
    return target


def _hash_cost(variables: Mapping[str, str]) -> float:
    """Return the CPU time of a hash in milliseconds, in a process of its own."""
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", COST]
    own = {"PATH": os.environ["PATH"], **variables}
    return float(subprocess.run(command, cwd=ROOT, env=own, stdout=subprocess.PIPE, text=True, check=True).stdout)
