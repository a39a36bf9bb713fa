#!/usr/bin/env python
"""The commands of the standalone project. They do not read `.env`; `./dev manage` adds the variables of that file."""

import gc
import os
import sys


def main() -> None:
    """Run a command. A wrong setting, or a database that does not answer, ends the program with one line."""
    # Databases, keys and mails contain secrets: no other user of the machine may read a file of the service.
    os.umask(0o077)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # The modules stay until the process ends. The collector would search them a hundred times, for a tenth of the time of
    # a start. They are frozen, so no later collection searches them either.
    gc.disable()
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415 - after the settings module is named
    from django.core.management import ManagementUtility  # noqa: PLC0415 - see above
    from django.core.management.base import BaseCommand  # noqa: PLC0415 - see above
    from django.db import DatabaseError, InterfaceError  # noqa: PLC0415 - see above

    from core.db.failures import Fault, fault_of  # noqa: PLC0415 - see above
    from core.db.outage import describe  # noqa: PLC0415 - see above
    from core.errors import WritesStopped  # noqa: PLC0415 - see above

    class Commands(ManagementUtility):
        def fetch_command(self, subcommand: str) -> BaseCommand:
            gc.freeze()
            gc.enable()
            return super().fetch_command(subcommand)

    try:
        Commands(sys.argv).execute()
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
