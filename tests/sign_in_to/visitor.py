"""A browser without scripts that visits running sites: it follows redirects, keeps cookies for each host and sends forms."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import parse_qsl, urljoin, urlsplit

import requests

TIMEOUT_SECONDS = 60
STEPS_MAX = 20


@dataclass
class _Page(HTMLParser):
    """The forms of a page, and the address to which it leads on by itself."""

    forms: list[dict[str, str]] = field(default_factory=list)
    onward: str = ""

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "meta" and given.get("http-equiv") == "refresh":
            self.onward = given["content"].partition("url=")[2]
        elif tag == "form":
            self.forms.append({"": given.get("action", "")})
        elif tag == "input" and "name" in given and self.forms:
            self.forms[-1][given["name"]] = given.get("value", "")


class Visitor:
    """A person with a browser. `url` and `text` are those of the open page, and `seen` are the addresses on the way to it."""

    def __init__(self) -> None:
        self.http = requests.Session()
        self.url = ""
        self.text = ""
        self.status = 0
        self.seen: list[str] = []

    def open(self, url: str) -> "Visitor":
        """Open the address, and follow to the page on which the person has to act."""
        self.seen = []
        return self._go("GET", url)

    def submit(self, action: str, **typed: str) -> "Visitor":
        """Send the first form whose address has this path, with the values that the person types."""
        page = _parse(self.text)
        found = [one for one in page.forms if urlsplit(urljoin(self.url, one[""])).path == action]
        assert found, f"no form leads to {action}: {self.url} {self.text}"
        fields = {name: value for name, value in found[0].items() if name}
        return self._go("POST", urljoin(self.url, found[0][""]), {**fields, **typed})

    def sign_in(self, *, email: str, password: str) -> "Visitor":
        """Sign in on the pages of the service, from an open page that leads there."""
        self.submit("/sign-in", email=email)
        self.submit("/sign-in", password=password)
        if urlsplit(self.url).path == "/passkey-offer":
            following = dict(parse_qsl(urlsplit(self.url).query))["next"]
            self._go("GET", urljoin(self.url, following))
        return self

    def _go(self, method: str, url: str, form: dict[str, str] | None = None) -> "Visitor":
        origin = "{0.scheme}://{0.netloc}".format(urlsplit(self.url or url))
        headers = {"Origin": origin, "Referer": self.url} if method == "POST" else {}
        for _ in range(STEPS_MAX):
            answer = self.http.request(
                method, url, data=form, headers=headers, timeout=TIMEOUT_SECONDS, allow_redirects=False
            )
            self.url, self.text, self.status = url, answer.text, answer.status_code
            self.seen.append(url)
            onward = answer.headers.get("Location", "") or _parse(self.text).onward
            if not onward:
                return self
            method, url, form, headers = "GET", urljoin(url, onward), None, {}
        raise AssertionError(f"too many steps: {self.seen}")


def _parse(text: str) -> _Page:
    page = _Page()
    page.feed(text)
    return page
