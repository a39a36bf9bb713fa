"""The mails that the service wrote into a directory, sorted by recipient."""

import re
import threading
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

_LINK = re.compile(r"/mail/([a-z-]+)#token=([A-Za-z0-9_-]{43})")
_TO = re.compile(r"^To: (.+)$", re.MULTILINE)


class Mailbox:
    """All mails with a link. Many threads use this object."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._lock = threading.Lock()
        self._read: set[Path] = set()
        self._tokens: dict[tuple[str, str], list[str]] = defaultdict(list)

    def tokens(self, *, to: str, page: str) -> Sequence[str]:
        """Return the tokens of all links to the page that were sent to the address."""
        with self._lock:
            for path in set(self._directory.glob("*.eml")) - self._read:
                self._read.add(path)
                text = path.read_text()
                for page_of_link, token in set(_LINK.findall(text)):
                    self._tokens[_TO.findall(text)[0], page_of_link].append(token)
            return list(self._tokens[to, page])
