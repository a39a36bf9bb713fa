"""The polling of devices for their tokens (RFC 8628, section 3.4)."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F

from core.db.transactions import write
from core.http.client import Client as HttpClient
from core.keys.opaque import find_digest

from ..errors import InvalidGrant, OauthError
from ..models import Client, Code, DeviceRequest
from .redemption import redeem

DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
DEVICE_PREFIX = "odc_"
"""The beginning of device codes. Those of the authorization endpoint have another, so neither passes for the other."""

_SLOWER_SECONDS = 5


def redeem_device_code(*, client: Client, form: Mapping[str, str], http: HttpClient, now: datetime) -> dict[str, Any]:
    """Redeem the device code that a person has permitted. Raises as `redeem` does.

    Raises OauthError while the device must wait, and when the person refused or did not answer in time. Raises
    InvalidGrant when the code is unknown or another client's.
    """
    if "device_code" not in form:
        raise OauthError("invalid_request", "The request needs device_code.")
    digest = find_digest(form["device_code"], prefix=DEVICE_PREFIX)
    if digest is None:
        raise InvalidGrant
    code = Code.objects.filter(digest=digest, client=client).select_related("client").first()
    if code is None:
        raise _reason_to_wait(digest, client=client, now=now)
    return redeem(code, client=client, form=form, http=http, now=now)


@write
def _reason_to_wait(digest: bytes, *, client: Client, now: datetime) -> OauthError:
    """Return the error for a device whose request nobody has permitted. Store the time at which the device asked."""
    rows = DeviceRequest.objects.filter(digest=digest, client=client)
    request = rows.first()
    if request is None:
        return InvalidGrant()
    if request.answered_at is not None:
        return OauthError("access_denied", "The person refused.")
    if request.expires_at <= now:
        return OauthError("expired_token", "The code has expired. Start again.")
    soon = request.polled_at is not None and now < request.polled_at + timedelta(seconds=request.interval)
    rows.update(polled_at=now, interval=F("interval") + (_SLOWER_SECONDS if soon else 0))
    if soon:
        return OauthError("slow_down", f"Wait {request.interval + _SLOWER_SECONDS} seconds before the next request.")
    return OauthError("authorization_pending", "The person has not answered yet.")
