"""Password resets of a person, through the API and the person's mailbox."""

from .client import PASSWORD, Answer, Api
from .mails import delivered, token_in
from .people import Person


def ask(api: Api, email: str) -> Answer:
    """Request a link that resets the password."""
    return api.post("/v1/password/forgot", {"email": email})


def mailed_token(person: Person) -> str:
    """Request a link and return its token."""
    assert ask(person.api, person.email).data == {"status": "reset sent"}
    return token_in(delivered(person.email)[-1])


def reset(api: Api, token: object, new_password: object = PASSWORD) -> Answer:
    """Reset the password by a token."""
    return api.post("/v1/password/reset", {"token": token, "new_password": new_password})


def prove_address(person: Person) -> None:
    """Reset the password to the same one, which proves the address. All mails to the person are deleted."""
    assert reset(person.api, mailed_token(person), person.password).status == 200
    delivered(person.email)
