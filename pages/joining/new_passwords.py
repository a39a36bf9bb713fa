"""The text about a refused new password."""

from django.utils.translation import gettext

from accounts.errors import PasswordBreached, PasswordPolicyViolation

from ..frame.new_passwords import broken


def refusal_of(error: PasswordPolicyViolation | PasswordBreached) -> str:
    """Return why the password was refused, and what to do next."""
    return broken(error.details) if isinstance(error, PasswordPolicyViolation) else gettext(str(error))
