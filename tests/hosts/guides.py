"""Guides by which a site moves to the service from another library. Each has the steps before, during and after."""

import re
from dataclasses import dataclass
from pathlib import Path

from .environments import ROOT
from .sites import Site, continued, python_blocks

BEFORE = "## Your site before"
DURING = "## 2. Accept both tokens"
AFTER = "## 4. End the change-over"


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide:
    """A page of docs, and a site that follows it. Each Python block begins with a comment that names its file."""

    name: str
    site: Site

    @property
    def page(self) -> Path:
        """The page."""
        return ROOT / "docs" / self.name

    def follow(self, heading: str) -> None:
        """Append the blocks of the section to the files that they name."""
        for block in python_blocks(heading, page=self.page):
            self.site.append(self._file(block), continued(block))

    def install(self) -> str:
        """Follow the step that installs the service, and return the output of `link_accounts`."""
        settings = self.site.directory / self.site.settings
        # The section adds this app to the list, and a list must not name an app twice.
        settings.write_text(settings.read_text().replace('    "rest_framework",\n', "", 1))
        self.site.install_gatehouse()
        return self.site.manage("link_accounts")

    def check_length(self) -> None:
        """Check that the page states the number of lines that a site adds to accept both kinds of tokens."""
        blocks = [*python_blocks("## Install"), *python_blocks(DURING, page=self.page)]
        lines = [line for block in blocks for line in block.splitlines() if line.strip() and not line.startswith("#")]
        assert re.findall(r"(\d+) lines", self.page.read_text()) == [str(len(lines))]

    def _file(self, block: str) -> str:
        files = {"# settings.py": self.site.settings, "# urls.py": self.site.urls}
        return files[block.partition("\n")[0]]
