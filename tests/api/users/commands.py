"""Calls of `manage.py users`."""

import io

from django.core.management import CommandError, call_command

from tests.answer import Answer
from tests.client import PASSWORD, Api
from tests.people import Person


def users(*arguments: str) -> tuple[str, str]:
    """Run the command as typed; return its results and its problems."""
    results, problems = io.StringIO(), io.StringIO()
    call_command("users", *arguments, stdout=results, stderr=problems, no_color=True)
    return results.getvalue(), problems.getvalue()


def users_fail(*arguments: str) -> tuple[str, str, str]:
    """Run a command that fails; return its results, its problems and its error."""
    results, problems = io.StringIO(), io.StringIO()
    try:
        call_command("users", *arguments, stdout=results, stderr=problems, no_color=True)
    except CommandError as error:
        return results.getvalue(), problems.getvalue(), str(error)
    raise AssertionError("The command did not fail.")


def outcome(answer: Answer) -> str:
    """Return the code of an error, or `ok`."""
    return "ok" if answer.status < 400 else answer.code


def log_in(person: Person, password: str = PASSWORD) -> str:
    """Log in by password and return the outcome."""
    return outcome(Api().post("/v1/login", {"email": person.email, "password": password}))
