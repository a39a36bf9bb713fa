"""Concurrent first logins of a user of an old system."""

import json
import ssl
from functools import partial
from pathlib import Path

import pytest
from pytest_django import Settings

from accounts.models import Account
from core.threads import FALLBACK_THREADS
from sessions_app.logins.fallback import old_system
from sessions_app.models import Family
from tests.client import PASSWORD, Api
from tests.loopback import Peer, answering, response, serving
from tests.tls import trusted_context

from .crowd import ROUNDS, Crowd

SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="


@pytest.fixture
def tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    return trusted_context(tmp_path, monkeypatch, host="127.0.0.1")


@pytest.mark.django_db(transaction=True)
def test_all_first_logins_of_a_user_succeed_and_create_one_account(tls: ssl.SSLContext, settings: Settings) -> None:
    callers = [Api() for _ in range(FALLBACK_THREADS)]
    old_system.forget()

    def talk(peer: Peer, send: object) -> None:
        email = json.loads(peer.received[-1].body)["data"]["email"]
        row = json.dumps({"id": email, "email": email}).encode()
        answering(response(row, headers="Content-Type: application/json\r\n"))(peer, send)  # type: ignore[arg-type]

    with serving(talk, tls=tls) as peer, Crowd(len(callers)) as crowd:
        settings.AUTH_SERVICE = {
            **settings.AUTH_SERVICE,
            "LOGIN_FALLBACK_URL": peer.url(scheme="https"),
            "LOGIN_FALLBACK_SECRET": SECRET,
        }
        for number in range(ROUNDS):
            body = {"email": f"carol{number}@example.com", "password": PASSWORD}

            answers = crowd.at_once(*[partial(api.post, "/v1/login", body) for api in callers])

            assert [answer.status for answer in answers] == [200] * len(callers)
            assert Account.objects.count() == number + 1
            assert Family.objects.count() == (number + 1) * len(callers)
