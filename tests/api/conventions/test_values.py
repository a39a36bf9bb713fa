import uuid

import pytest
from django.contrib.auth import get_user_model

from core.db.deployment import STANDALONE_USER
from tests.description import TIMESTAMP
from tests.people import Person, existing_session


def test_a_timestamp_is_utc_with_microseconds_and_z(alice: Person) -> None:
    session = existing_session(alice)

    (listed,) = alice.api.get("/v1/sessions", token=session.access).data

    assert TIMESTAMP.fullmatch(listed["created_at"])


def test_an_id_is_a_uuid_of_version_7_in_lower_case(alice: Person) -> None:
    (listed,) = alice.api.get("/v1/sessions", token=existing_session(alice).access).data

    assert str(uuid.UUID(listed["id"])) == listed["id"]
    assert uuid.UUID(listed["id"]).version == 7


@pytest.mark.skipif(get_user_model()._meta.label != STANDALONE_USER, reason="a site's users keep their own key")
def test_a_users_id_is_a_uuid_of_version_7_too(alice: Person) -> None:
    assert str(uuid.UUID(alice.user_id)) == alice.user_id
    assert uuid.UUID(alice.user_id).version == 7
