"""The pages on which a person sets a second factor up, by the names of the factors.

A factor without a page is listed too. Its page then has only the removal.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext

from accounts.models import Account
from core.registry import Registry
from sessions_app.logins.second_factors import second_factors

from ..frame.navigation import home, with_next


@dataclass(frozen=True, slots=True, kw_only=True)
class FactorRoom:
    """The page of a factor. `factor` is the name of the factor, `name` that of the page's URL.

    `about` says in a sentence what the factor is. `is_on` returns whether this deployment can store the factor.
    """

    factor: str
    name: str
    title: str | Promise
    about: str | Promise
    is_on: Callable[[], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A factor as its owner sees it. `lines` describe the credentials that the account has. `url` is "" without an act."""

    title: str
    about: str
    lines: Sequence[str]
    url: str


factor_rooms: Registry[FactorRoom] = Registry()


def list_ways(account: Account, *, following: str, now: datetime) -> Sequence[Way]:
    """Return all registered factors in their order. A factor that the deployment cannot store is left out, if unused.

    `following` is the page that the pages of the factors later lead to; "" without one.
    """
    pages = {room.factor: room for room in factor_rooms}
    ways = []
    for factor in second_factors:
        page = pages.get(factor.name)
        lines = factor.describe(account_id=account.pk, now=now)
        if not lines and page is not None and not page.is_on():
            continue
        if page is not None:
            url = with_next(page.name, page=following or home())
        else:
            url = reverse("authsvc-account-factor", args=[factor.name]) if lines and factor.gates_login else ""
        title, about = (page.title, page.about) if page else (capfirst(gettext(factor.label)), "")
        ways.append(Way(title=str(title), about=str(about), lines=lines, url=url))
    return ways
