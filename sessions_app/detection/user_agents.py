"""The patterns that recognize browsers and operating systems in user agents."""

from ua_parser import Domain, PartialResult
from ua_parser.loaders import load_lazy_builtins
from ua_parser.regex import Resolver

# The library's patterns for device models are not loaded. No code here needs the model, and the patterns use 14 MB in
# each process.
_browsers, _systems, _ = load_lazy_builtins()
_resolver = Resolver((_browsers, _systems, []))
_BROWSER_AND_OS = Domain.USER_AGENT | Domain.OS


def parse(user_agent: str) -> PartialResult:
    """Return the families of the browser and of the operating system, as far as the patterns find them."""
    return _resolver(user_agent, _BROWSER_AND_OS)
