"""Readers of the exports of other systems. A reader turns each user of an export into a row of the format."""

from collections.abc import Mapping

from ..inputs import Reader
from . import auth0, cells, django_users, firebase, keycloak, own, supabase

OWN = "gatehouse"
READERS: Mapping[str, Reader] = {
    OWN: own.read,
    "auth0": auth0.read,
    "keycloak": keycloak.read,
    "supabase": supabase.read,
    "firebase": firebase.read,
    "cognito": cells.read_cognito,
    "clerk": cells.read_clerk,
    "django": django_users.read,
    "csv": cells.read_csv,
}
"""The reader of each format, by its name for `--from`."""
