"""The examples on the pages for developers of a host project."""

import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[3] / "docs"


def examples_of(page: str, heading: str, *, language: str = "python") -> list[str]:
    """Return the code blocks of the section in the language. They name the modules as the wheel has them."""
    section = (DOCS / page).read_text().partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)


def run_examples(page: str, heading: str) -> dict[str, Any]:
    """Run the Python code blocks of the section as one module of a checkout, and return its names."""
    names: dict[str, Any] = {"__name__": f"{__name__}.{heading.replace(' ', '_')}"}
    blocks = examples_of(page, heading)
    assert blocks, heading
    for code in blocks:
        exec(re.sub(r"\bgatehouse\.(?=[a-z_]+\.)", "", code), names)  # noqa: S102 - our own page
    return names
