"""While API_KEYS_ENABLED is off, no key can be created and no existing key is valid."""

import pytest
from pytest_django import Settings

from accounts.models import Event
from apikeys.models import ApiKey
from tests.client import Answer
from tests.keys import listed, make_key, verify
from tests.people import SignedIn

ROUTES = [("POST", "/v1/api-keys"), ("GET", "/v1/api-keys"), ("DELETE", "/v1/api-keys/x")]


def switch(settings: Settings, state: str) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "API_KEYS_ENABLED": state}


def refusal(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.code


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_the_token_is_checked_before_the_feature_and_the_body_last(
    settings: Settings, session: SignedIn, method: str, path: str
) -> None:
    switch(settings, "off")

    assert refusal(session.api.call(method, path)) == (401, "missing_auth_header")
    assert refusal(session.api.call(method, path, token="x")) == (401, "invalid_access_token")
    assert refusal(session.api.call(method, path, token=session.access)) == (404, "api_keys_not_configured")
    if method != "GET":
        assert refusal(session.api.send(method, path, b"{", token=session.access)) == (404, "api_keys_not_configured")


def test_existing_keys_are_valid_only_while_the_feature_is_on(settings: Settings, session: SignedIn) -> None:
    made = make_key(session)
    before = Event.objects.count()

    switch(settings, "off")
    assert refusal(verify(made["key"])) == (401, "missing_auth_header")
    assert refusal(session.api.get("/v1/verify", token=made["key"])) == (401, "invalid_access_token")
    switch(settings, "on")

    assert Event.objects.count() == before
    assert ApiKey.objects.get().last_used_at is None
    assert len(listed(session)) == 1
    assert verify(made["key"]).status == 200


def test_verify_accepts_an_access_token_while_the_feature_is_off(settings: Settings, session: SignedIn) -> None:
    switch(settings, "off")

    answer = session.api.get("/v1/verify", token=session.access, headers={"X-API-Key": "ak_abcdefgh_x"})

    assert answer.data == {"user_id": session.person.user_id}
