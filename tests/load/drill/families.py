"""Create many families at once, without a login each. Runs inside `manage.py shell`."""

import json
import sys
from datetime import datetime
from secrets import token_hex
from typing import Any

from accounts.acts.signup import sign_up
from accounts.host import users
from core import clock
from core.db.transactions import write
from core.http.client import Client
from sessions_app.families.issuing import open_session

from ..service import PASSWORD

FAMILIES_EACH = 50
CLIENT = Client(ip="127.0.0.1", user_agent="Gatehouse load")


def make_families(number: int) -> None:
    """Create accounts with that many families in total, and print the refresh tokens."""
    tokens: list[str] = []
    while len(tokens) < number:
        now = clock.now()
        account = sign_up(email=f"{token_hex(6)}@example.com", password=PASSWORD, client=CLIENT, now=now)
        tokens += _open(users.to_account_id(account.user_id), min(FAMILIES_EACH, number - len(tokens)), now=now)
    json.dump(tokens, sys.stdout)


@write
def _open(account_id: Any, number: int, *, now: datetime) -> list[str]:
    return [open_session(account_id=account_id, client=CLIENT, now=now).refresh_token for _ in range(number)]
