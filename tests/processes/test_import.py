"""An import of users that is killed goes on."""

from functools import partial
from pathlib import Path

import orjson

from tests.placement import TAKES_LONG
from tests.races.crowd import ROUNDS
from tests.transfers import number

from .conftest import Run
from .running import Running, until

ROWS = 8_000
REFUSED = range(7, ROWS, 1_000)
KILLS = ROUNDS
"""`./dev test --rounds 20 tests/processes/test_import.py` kills the import at twenty points."""


def write_users(path: Path) -> None:
    rows = [
        {
            "id": number(position),
            "email": f"user{position}@example.com",
            "state": "banned" if position in REFUSED else "active",
        }
        for position in range(1, ROWS + 1)
    ]
    path.write_bytes(b"".join(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows))


def records_in(progress: Path) -> int:
    return int(orjson.loads(progress.read_bytes())["totals"]["records"]) if progress.exists() else 0


def is_past(goal: int, progress: Path, running: Running) -> bool:
    """Return whether the import stored more records than the goal, or ended."""
    return records_in(progress) > goal or running.process.poll() is not None


@TAKES_LONG
def test_a_killed_import_goes_on_and_loses_and_repeats_no_user(manage: Run, tmp_path: Path) -> None:
    users, progress = tmp_path / "users.ndjson", tmp_path / "users.ndjson.progress.json"
    write_users(users)
    killed = 0
    for kill in range(KILLS):
        goal = ROWS * kill // KILLS
        running = manage("users", "import", str(users), *(["--resume"] if progress.exists() else []))
        until(partial(is_past, goal, progress, running), what=f"{goal} records")
        killed += running.process.poll() is None
        running.kill()

    last = manage("users", "import", str(users), *(["--resume"] if progress.exists() else []))

    assert killed, "the import ended before it was killed"
    assert last.exit_code() == 3, last.err.read_text()
    assert not progress.exists()
    refused = [
        orjson.loads(line)["line"] for line in (tmp_path / "users.ndjson.refused.ndjson").read_bytes().splitlines()
    ]
    assert refused == list(REFUSED)
    export = manage("users", "export", str(tmp_path / "export.ndjson"))
    assert export.exit_code() == 0, export.err.read_text()
    exported = [orjson.loads(line)["email"] for line in (tmp_path / "export.ndjson").read_bytes().splitlines()]
    assert sorted(exported) == sorted(f"user{each}@example.com" for each in range(1, ROWS + 1) if each not in REFUSED)
    again = manage("users", "import", str(users))
    assert again.exit_code() == 3
    assert f"already present {ROWS - len(REFUSED):>14,}" in again.out.read_text()
