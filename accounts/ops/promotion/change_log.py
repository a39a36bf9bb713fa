"""The primary keys of the rows that change while a promotion copies the file.

Triggers write the log, in the transaction of the change. They work only while the promotion claims the file. A
promotion that dies therefore leaves a log that does not grow.
"""

import sqlite3
from collections.abc import Sequence

from core.db.write_stop import IS_CLAIMED, transaction

from .lines import CHANGE_LOG, Table

_CREATE_SQL = f"CREATE TABLE {CHANGE_LOG} (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, key NOT NULL)"
_TRIGGERS_SQL = f"SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB '{CHANGE_LOG}_*'"  # noqa: S608 - only a constant
_KEYS = {
    "INSERT": 'SELECT NEW."{key}" AS key',
    "UPDATE": 'SELECT OLD."{key}" AS key UNION SELECT NEW."{key}"',
    "DELETE": 'SELECT OLD."{key}" AS key',
}
_TRIGGER_SQL = f"""
    CREATE TRIGGER "{CHANGE_LOG}_{{act}}_{{name}}" AFTER {{act}} ON "{{name}}" WHEN {IS_CLAIMED}
    BEGIN INSERT INTO {CHANGE_LOG} (name, key) SELECT '{{name}}', key FROM ({{keys}}); END
"""  # noqa: S608 - only constants are interpolated


def begin(database: sqlite3.Connection, tables: Sequence[Table]) -> None:
    """Begin an empty log in place of an earlier one. The caller has claimed the file."""
    with transaction(database):
        _drop(database)
        database.execute(_CREATE_SQL)
        for table in tables:
            for act, keys in _KEYS.items():
                own = keys.format(key=table.columns[0])
                database.execute(_TRIGGER_SQL.format(act=act, name=table.name, keys=own))


def end(database: sqlite3.Connection) -> None:
    """Remove the log from the file."""
    with transaction(database):
        _drop(database)


def _drop(database: sqlite3.Connection) -> None:
    for (trigger,) in database.execute(_TRIGGERS_SQL).fetchall():
        database.execute(f'DROP TRIGGER "{trigger}"')
    database.execute(f"DROP TABLE IF EXISTS {CHANGE_LOG}")
