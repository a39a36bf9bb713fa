"""The summary of the peers in the README, which is that of docs/benchmarks.md."""

import re

from tests.load import report
from tests.processes.running import ROOT

README = ROOT / "README.md"
TITLE = "Peers"
START, END = "<!-- The table of `./dev bench --peers --write`. -->\n", "<!-- The end of the table. -->\n"


def with_summary(readme: str, *, page: str) -> str:
    """Return the README with the first table of the page's section about the peers, and with its last line.

    Raise ValueError when a part is missing.
    """
    section = re.search(
        rf"^## {TITLE}\n\n(\|(?:.*\n)+?)\n(?:(?!## ).*\n)*?(\d{{4}}-\d\d-\d\d, .*)\n(?=\n## |\Z)", page, re.MULTILINE
    )
    before, start, rest = readme.partition(START)
    _, end, after = rest.partition(END)
    if not (section and start and end):
        raise ValueError("the page has no summary, or the README has no place for it")
    return f"{before}{start}\n{section[1]}\n{section[2]}\n\n{end}{after}"


def write() -> None:
    """Copy the summary of docs/benchmarks.md to the README."""
    README.write_text(with_summary(README.read_text(), page=report.PAGE.read_text()))
