"""A site with the oldest Django that the wheel permits, and with Django's per-site cache."""

from pathlib import Path

import pytest

from .environments import Workshop
from .site_client import PASSWORD, SiteClient
from .sites import start_django

pytestmark = pytest.mark.timeout(300)

CACHE = """
MIDDLEWARE = [
    "django.middleware.cache.UpdateCacheMiddleware",
    *MIDDLEWARE,
    "django.middleware.cache.FetchFromCacheMiddleware",
]
"""


def test_the_cache_of_the_oldest_django_sends_no_answer_to_another_caller(workshop: Workshop, tmp_path: Path) -> None:
    site = start_django(workshop.environment("gatehouse[all]", "django==5.2"), tmp_path)
    site.append(site.settings, CACHE)
    site.install_gatehouse()

    with site.serving() as base:
        caller = SiteClient(prefix=f"{base}/v1")
        ids, tokens = [], []
        for email in ("alice@example.com", "bob@example.com"):
            ids.append(caller.post("/signup", {"email": email, "password": PASSWORD}).data["user_id"])
            tokens.append(caller.log_in(email).data["access_token"])

        assert [caller.get("/verify", token=token).data["user_id"] for token in tokens] == ids
        assert caller.get("/verify").status == 401
        assert caller.get("/sessions").status == 401
