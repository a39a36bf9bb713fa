"""The user of the operating system who runs the command."""

import os
import pwd


def find_os_user() -> str:
    """Return the name of the user, such as `gatehouse (sudo by alice)`. Return the number of a user without a name."""
    number = os.getuid()
    try:
        name = pwd.getpwuid(number).pw_name
    except KeyError:
        # The users of many containers have no entry.
        name = str(number)
    by = os.environ.get("SUDO_USER", "")
    return f"{name} (sudo by {by})" if by.isprintable() and by not in ("", name) else name
