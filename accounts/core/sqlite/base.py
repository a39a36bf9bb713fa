"""The SQLite engine of Django, with a bound on the threads that wait for it: `"ENGINE": "accounts.core.sqlite"`.

The busy timeout bounds how long each of them waits.
"""

from typing import Any

from django.db.backends.sqlite3 import base

from ..threads import database


class BoundedCursor(base.SQLiteCursorWrapper):
    """A cursor that needs a place among the threads that wait for the database."""

    def execute(self, query: str, params: Any = None) -> Any:
        """Run the statement. Raises DbUnreachable when too many threads wait already."""
        entered = database.enter()
        try:
            return super().execute(query, params)
        finally:
            if entered:
                database.leave()


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's, with bounded cursors."""

    def create_cursor(self, name: str | None = None) -> Any:
        return self.connection.cursor(factory=BoundedCursor)
