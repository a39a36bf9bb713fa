"""`manage.py check` reports a user model that the service cannot use."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import models

from accounts.checks import check_user_model


def test_a_user_model_with_an_address_field_is_accepted() -> None:
    assert check_user_model() == []


def test_a_user_model_without_its_address_field_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(get_user_model(), "EMAIL_FIELD", "mail")

    (found,) = check_user_model()

    assert found.id == "authsvc.E006"
    assert "EMAIL_FIELD" in str(found.hint)


@pytest.mark.parametrize("field", [models.CharField(max_length=15), models.IntegerField()])
def test_a_login_name_that_cannot_be_random_is_a_warning(monkeypatch: pytest.MonkeyPatch, field: Any) -> None:
    monkeypatch.setattr(get_user_model()._meta, "get_field", lambda _name: field)

    (found,) = check_user_model()

    assert found.id == "authsvc.W021"
