"""The addresses of applications to which a sign-in leads. The rules here are pure, and stricter than those of browsers.

A browser reads some addresses in another way than a server. So an address with any ambiguous part is refused.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

ADDRESS_MAX = 2_000
"""The maximum length of an address, in characters."""

# Printable ASCII without a quotation mark, angle brackets, a backslash and `#`. There is no user name and no password.
_ADDRESS = re.compile(
    r"(?P<origin>https?://(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?)(?P<path>/[!$-;=?-\[\]_a-z~^`{|}]*)?",
    re.IGNORECASE,
)
_PATH = re.compile(r"(?:/[A-Za-z0-9._~!$&'()*+,;=:@%-]*)*")
# An encoded slash, backslash, dot, percent sign or control character. Servers decode it once, and some twice.
_AMBIGUOUS = re.compile(r"%(?![0-9a-f]{2})|%(?:2f|5c|2e|25|[01][0-9a-f]|7f)", re.IGNORECASE)
_DEFAULT_PORT = {"http": ":80", "https": ":443"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnAddress:
    """A listed address. The origin is as browsers write it. The path has no slash at its end, and "" permits every path."""

    origin: str
    path: str

    def permits(self, *, origin: str, path: str) -> bool:
        """Return whether an address with this origin and path is the listed one, or lies below it."""
        return origin == self.origin and (not self.path or path == self.path or path.startswith(f"{self.path}/"))


def is_plain_path(path: str) -> bool:
    """Return whether every program reads the path in the same way: no empty, dot or ambiguous segments."""
    if not _PATH.fullmatch(path) or _AMBIGUOUS.search(path) or "//" in path:
        return False
    return not {".", ".."} & set(path.split("/"))


def is_permitted(text: str, *, listed: Iterable[ReturnAddress]) -> bool:
    """Return whether the text is an address that the list permits."""
    found = _ADDRESS.fullmatch(text) if len(text) <= ADDRESS_MAX else None
    if found is None:
        return False
    path = (found["path"] or "/").partition("?")[0]
    origin = _normal(found["origin"].lower())
    return is_plain_path(path) and any(one.permits(origin=origin, path=path) for one in listed)


def _normal(origin: str) -> str:
    """Return the origin without the default port of its scheme."""
    return origin.removesuffix(_DEFAULT_PORT[origin.partition(":")[0]])
