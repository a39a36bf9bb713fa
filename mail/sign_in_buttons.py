"""The buttons and the second factors that the page of the magic link shows. Another app registers them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.registry import Registry


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInButton:
    """A button. `label` names the provider. `start` and `complete` are the paths of the routes that the page calls.

    The provider returns the browser to `return_url`, which serves the same page.
    """

    label: str
    start: str
    complete: str
    return_url: str


class ButtonSource(Protocol):
    """A source of buttons."""

    def buttons(self, *, page_url: str) -> Sequence[SignInButton]:
        """Return the buttons of a page. Providers return the browser to the page or to a path below it."""


class FactorSource(Protocol):
    """A source of second factors."""

    def proof_labels(self) -> Mapping[str, str]:
        """Return what a login can wait for, in the current language, by the names in `methods`."""


button_sources: Registry[ButtonSource] = Registry()
factor_sources: Registry[FactorSource] = Registry()
