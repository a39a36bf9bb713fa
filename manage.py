#!/usr/bin/env python
"""The commands of the standalone project. They do not read `.env`; `./dev manage` adds the variables of that file."""

import os
import sys


def main() -> None:
    """Run a command. A wrong setting, or a database that does not answer, ends the program with one line."""
    # Databases, keys and mails contain secrets: no other user of the machine may read a file of the service.
    os.umask(0o077)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415 - after the settings module is named
    from django.core.management import execute_from_command_line  # noqa: PLC0415 - see above
    from django.db import DatabaseError, InterfaceError  # noqa: PLC0415 - see above

    from core.db.failures import Fault, fault_of  # noqa: PLC0415 - see above
    from core.db.outage import describe  # noqa: PLC0415 - see above
    from core.errors import WritesStopped  # noqa: PLC0415 - see above

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"Not started: {error}")
    except WritesStopped as error:
        sys.exit(f"{error} See manage.py promote --help.")
    except (DatabaseError, InterfaceError) as error:
        if fault_of(error) is Fault.STOPPED:
            sys.exit(f"{WritesStopped.message} See manage.py promote --help.")
        if fault_of(error) is not Fault.OUTAGE:
            raise
        sys.exit(f"The database does not answer. {describe(error)}")


if __name__ == "__main__":
    main()
