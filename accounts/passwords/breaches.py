"""The check of passwords against known breaches."""

import hashlib
import logging
import re
from functools import cache

from django.contrib.auth.password_validation import CommonPasswordValidator

from core.outgoing import OutgoingError, fetch

from ..conf import settings
from ..errors import PasswordBreached
from .rules import normalize

logger = logging.getLogger("authsvc.breaches")

RANGE_SECONDS = 2
RANGE_MAX_BYTES = 512 * 1024

_PREFIX_LENGTH = 5
_RANGE_LINE = re.compile(rb"([0-9A-F]{35}):([0-9]+)", re.IGNORECASE)


def check_breached(*, password: str) -> None:
    """Raise PasswordBreached when the configured source contains the password.

    When a range API gives no valid response within RANGE_SECONDS, the offline list decides. The log gets a warning.
    """
    text = normalize(password)
    match settings().breached_passwords:
        case "off":
            is_known = False
        case "offline":
            is_known = _is_common(text)
        case url:
            is_known = _is_in_range_api(text, url=url)
    if is_known:
        raise PasswordBreached


def load_offline_list() -> None:
    """Load the offline list if the settings use it. Processes that are forked afterwards share its memory."""
    if settings().breached_passwords != "off":
        _common_passwords()


def _is_in_range_api(text: str, *, url: str) -> bool:
    digest = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest().upper()
    known = _find_range(f"{url.rstrip('/')}/{digest[:_PREFIX_LENGTH]}")
    if known is None:
        logger.warning("the range API of breached passwords did not answer correctly, the offline list is used")
        return _is_common(text)
    return digest[_PREFIX_LENGTH:] in known


def _find_range(url: str) -> frozenset[str] | None:
    """Return the suffixes of all known digests with the prefix. Return None when there is no valid response.

    An empty response is not valid, because the requested padding alone has several hundred lines. Lines of padding have
    the count 0, and the result leaves them out.
    """
    try:
        answer = fetch(
            method="GET",
            url=url,
            headers={"Add-Padding": "true"},
            body=None,
            timeout_seconds=RANGE_SECONDS,
            max_bytes=RANGE_MAX_BYTES,
            allow_private=True,
        )
    except OutgoingError:
        return None
    lines = [_RANGE_LINE.fullmatch(line) for line in answer.body.splitlines()]
    if answer.status != 200 or not lines or None in lines:  # noqa: PLR2004 - HTTP's own number
        return None
    return frozenset(line[1].decode().upper() for line in lines if line and int(line[2]))


def _is_common(text: str) -> bool:
    # The entries of the list are stripped and in lower case.
    return text.lower().strip() in _common_passwords().passwords


@cache
def _common_passwords() -> CommonPasswordValidator:
    return CommonPasswordValidator()
