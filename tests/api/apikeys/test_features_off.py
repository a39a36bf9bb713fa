"""While API_KEYS_ENABLED is off there are no keys: none is made, and none that was made works."""

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
def test_the_token_comes_before_the_feature_and_it_before_the_body(
    settings: Settings, session: SignedIn, method: str, path: str
) -> None:
    switch(settings, "off")

    assert refusal(session.api.call(method, path)) == (401, "missing_auth_header")
    assert refusal(session.api.call(method, path, token="x")) == (401, "invalid_access_token")
    assert refusal(session.api.call(method, path, token=session.access)) == (404, "api_keys_not_configured")
    if method != "GET":
        assert refusal(session.api.send(method, path, b"{", token=session.access)) == (404, "api_keys_not_configured")


def test_keys_that_were_made_work_again_only_when_the_feature_does(settings: Settings, session: SignedIn) -> None:
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


def test_a_user_verifies_whatever_the_feature_is(settings: Settings, session: SignedIn) -> None:
    switch(settings, "off")

    answer = session.api.get("/v1/verify", token=session.access, headers={"X-API-Key": "ak_abcdefgh_x"})

    assert answer.data == {"user_id": session.person.user_id}
