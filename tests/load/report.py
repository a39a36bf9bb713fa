"""Tables for the output and for docs/benchmarks.md."""

import os
import platform
import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from core import clock
from tests.processes.running import ROOT

QUIET_LOAD = 0.5
"""A machine is quiet while its load of the last minute is below this number."""

PAGE = ROOT / "docs" / "benchmarks.md"

INTRODUCTION = """\
# Benchmarks

`./dev bench --write` wrote this page, on a quiet machine. Each section states the date, the machine and the command of
the measurement. Absolute figures depend on the machine. Ratios and CPU time per request depend on it less. Each figure
is a median, with the range in parentheses.

The figures are those of a checkout. The image has another build of Argon2, whose hashes take less time. The section
"Argon2 of a checkout and of the image" compares both.
"""


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table with aligned columns."""
    widths = [max(len(row[column]) for row in (header, *rows)) for column in range(len(header))]
    lines = [header, ["-" * width for width in widths], *rows]
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in lines
    )


def spread(figures: Sequence[float], form: str) -> str:
    """Return the median, with the range in parentheses."""
    low, middle, high = (form.format(figure) for figure in (min(figures), median(figures), max(figures)))
    return f"{middle} ({low} to {high})"


def load_of_machine() -> float:
    """Return the average number of running processes in the last minute."""
    return os.getloadavg()[0]


def circumstances(command: Sequence[str]) -> str:
    """Return the time, the machine, its current load, and the command of the measurement."""
    found = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), flags=re.MULTILINE)
    machine = (
        f"{os.cpu_count()} cores, {found[1] if found else platform.machine()}, load {load_of_machine():.1f} before"
    )
    return f"{clock.now():%Y-%m-%d}, {machine}, Python {platform.python_version()}: `{shlex.join(command)}`"


def write_section(title: str, text: str) -> None:
    """Write the text below the title on the page, and keep all other sections unchanged."""
    old = PAGE.read_text() if PAGE.exists() else ""
    sections = dict(re.findall(r"^## (.+)\n\n((?:(?!## ).*\n)*)", old, flags=re.MULTILINE))
    sections[title] = f"{text}\n"
    body = "\n".join(f"## {name}\n\n{content.strip()}\n" for name, content in sections.items())
    PAGE.write_text(f"{INTRODUCTION}\n{body}")
