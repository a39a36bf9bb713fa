"""The subcommands of `manage.py users`."""

from collections.abc import Sequence

from .acts import Deactivate, Delete, Reactivate, RequireReset, SendLink, SignAccountOut, Unlock, Verify
from .create import Create
from .export import Export
from .import_users import Import
from .invitations import Invitations, Invite, Uninvite
from .password_hashes import PasswordHashes
from .show import Show
from .subcommand import Subcommand, subcommands_of_apps

_OWN: Sequence[Subcommand] = (
    Show(),
    Create(),
    Invite(),
    Invitations(),
    Uninvite(),
    PasswordHashes(),
    Deactivate(),
    Reactivate(),
    SignAccountOut(),
    RequireReset(),
    SendLink(),
    Unlock(),
    Verify(),
    Delete(),
    Import(),
    Export(),
)


def list_subcommands() -> Sequence[Subcommand]:
    """Return all subcommands: those of this app, then those of higher apps."""
    return (*_OWN, *subcommands_of_apps)
