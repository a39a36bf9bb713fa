"""The host project's own pages work beside the service's routes and reverse their own URLs."""

from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.test import Client

from tests.factories import HostUserFactory

People: Any = get_user_model()

pytestmark = pytest.mark.skipif(
    settings.AUTH_USER_MODEL == "authsvc_accounts.User", reason="the standalone project has no such pages"
)


def test_the_admin_redirects_an_anonymous_user_to_its_login() -> None:
    answer = Client().get("/admin/", follow=True)

    assert answer.redirect_chain == [("/admin/login/?next=/admin/", 302)]
    assert answer.status_code == 200


def test_the_admin_shows_its_index_to_staff() -> None:
    client = Client()
    client.force_login(HostUserFactory.create(is_staff=True, is_superuser=True))

    answer = client.get("/admin/")

    assert answer.status_code == 200
    assert b"/admin/logout/" in answer.content


@pytest.mark.parametrize("page", ["login", "signup", "password/reset"])
def test_the_pages_of_allauth_are_served(page: str) -> None:
    assert Client().get(f"/members/{page}/").status_code == 200
