"""`./dev bench --image`: the hashes of a checkout, and those with the Argon2 that the image builds for AVX2."""

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from accounts.passwords.argon2id import FAST_BUILD
from tests.processes.running import ROOT

from . import report

CHECKOUT, IMAGE = "checkout", "image"
HASHES = 20
COST = f"""
import time
from accounts.passwords import argon2id, hashing
argon2id.choose_fastest(costs=hashing.costs_of_new_hashes())
hashing.verify_nothing("correct horse battery")
started = time.process_time()
for _ in range({HASHES}):
    hashing.verify_nothing("correct horse battery")
spent = (time.process_time() - started) / {HASHES} * 1000
is_of_pynacl = argon2id.is_of_pynacl(argon2id.blank(costs=hashing.costs_of_new_hashes()))
print(spent, "pynacl" if is_of_pynacl else "own" if argon2id._own_memory else "argon2-cffi")
"""
WAYS = {"pynacl": "PyNaCl", "own": "argon2-cffi in memory of its own", "argon2-cffi": "argon2-cffi"}


def compare_builds(*, variables: Mapping[str, str], rounds: int, directory: Path) -> str:
    """Return the table of both builds, each with the ways to compute a hash that its processes chose.

    The figures are CPU times, which other programs on the machine change less than rates. Raises
    CalledProcessError without a C compiler.
    """
    builds = {CHECKOUT: variables, IMAGE: {**variables, "PYTHONPATH": str(build_argon2(directory))}}
    costs: dict[str, list[float]] = {name: [] for name in builds}
    chosen: dict[str, Counter[str]] = {name: Counter() for name in builds}
    for number in range(rounds):
        for name in list(builds)[:: -1 if number % 2 else 1]:
            milliseconds, way = hash_cost(builds[name])
            costs[name].append(milliseconds)
            chosen[name][WAYS[way]] += 1
            sys.stderr.write(f"round {number + 1:<8}{name:<14}{costs[name][-1]:>8.2f} ms\n")
    times = [own / image for own, image in zip(costs[CHECKOUT], costs[IMAGE], strict=True)]
    rows = [
        [name, report.spread(costs[name], "{:.1f} ms"), ", ".join(f"{way}: {count}" for way, count in ways.items())]
        for name, ways in chosen.items()
    ]
    return (
        f"{report.table(['Argon2 of', 'CPU per hash', 'chosen, times'], rows)}\n\n"
        f"The image computes {report.spread(times, '{:.2f}')} times the hashes of a checkout in the same CPU time. The "
        "image has argon2-cffi built for AVX2, which was built here by the steps of the Dockerfile. Each process first chose "
        "between PyNaCl and argon2-cffi in memory of its own, as the server does at its start. Each round measured one "
        "build after the other, in one thread."
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
    # pip keeps the wheels that it builds, and would take one that was built with other flags.
    source = ["--no-cache-dir", "--no-build-isolation", "--no-deps", "--no-compile", "--no-binary", ":all:"]
    target = directory / FAST_BUILD
    # The scripts of the build's own environment must be found, such as ninja.
    variables = {**os.environ, "CFLAGS": "-O3 -mavx2", "PATH": f"{directory}/build/bin:{os.environ['PATH']}"}
    subprocess.run([*pip, *source, "--target", str(target), "-r", str(lock)], env=variables, check=True)
    return target


def hash_cost(variables: Mapping[str, str]) -> tuple[float, str]:
    """Return the CPU time of a hash in milliseconds in a new process, and the key in WAYS of what the process chose."""
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", COST]
    own = {"PATH": os.environ["PATH"], **variables}
    finished = subprocess.run(command, cwd=ROOT, env=own, stdout=subprocess.PIPE, text=True, check=True)
    milliseconds, way = finished.stdout.split()
    return float(milliseconds), way
