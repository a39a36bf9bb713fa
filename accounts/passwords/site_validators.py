"""The password validators of a host project: Django's setting AUTH_PASSWORD_VALIDATORS."""

from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError


def find_refusals(*, password: str, email: str, user_id: str | None) -> tuple[str, ...]:
    """Return the codes of the validators that refuse the password, each code once.

    A validator without a code counts as `invalid`. The validators get the user, or a new user with the address when
    `user_id` is None. Runs one query for the user. Without validators, the function runs none and returns ().
    """
    if not settings.AUTH_PASSWORD_VALIDATORS:
        return ()
    model: Any = get_user_model()
    user = model._default_manager.filter(pk=user_id).first() if user_id else None
    try:
        validate_password(password, user or model(**{model.get_email_field_name(): email}))
    except ValidationError as refusal:
        return tuple(dict.fromkeys(one.code or "invalid" for one in refusal.error_list))
    return ()
