"""`python -m tools.demo FILE` fills the database of DATABASE_URL, and writes the operator's credentials to the file."""

import os
import sys
import time
from pathlib import Path

import django

USERS = 5_000


def main(file: Path) -> None:
    """Migrate the database and fill it. Print the operator's credentials, also when the database is filled already."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from django.core.management import call_command  # noqa: PLC0415 - needs the settings

    from core.clock import now  # noqa: PLC0415 - see above

    from .filling import HasUsers, fill  # noqa: PLC0415 - see above

    call_command("migrate", interactive=False, verbosity=0, skip_checks=True)
    started = time.monotonic()
    try:
        operator = fill(users=USERS, now=now(), say=lambda step: _say(f"  {step}"))
    except HasUsers:
        _say("The database already has users, so no demo data were added. An empty one: delete var/postgres.")
    else:
        file.touch(mode=0o600)
        file.write_text(
            f"address      {operator.email}\npassword     {operator.password}\napp secret   {operator.app_secret}\n"
        )
        _say(f"The demo data are complete, after {time.monotonic() - started:.0f} s.")
    if file.exists():
        _say(f"The operator of the demo, also in {file}:\n{file.read_text()}")


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
