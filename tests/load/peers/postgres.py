"""The CPU time of the PostgreSQL server."""

import os
from contextlib import suppress
from pathlib import Path

import psycopg

from tests.load.service import Process, processor_seconds
from tests.processes.running import children


class PostgresProcess(Process):
    """The server of the URL, which must run on this machine."""

    def __init__(self, url: str) -> None:
        with psycopg.connect(url) as connection:
            stat = Path(f"/proc/{connection.info.backend_pid}/stat").read_text()
            port = connection.info.port
        parent = 1
        super().__init__(pid=int(stat.rpartition(")")[2].split()[parent]), port=port)

    def cpu_seconds(self) -> float:
        """Return the CPU time of the server so far, with that of the connections that have ended."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        user_of_ended, system_of_ended = 13, 14
        ended = int(fields[user_of_ended]) + int(fields[system_of_ended])
        live = 0.0
        for pid in (self.pid, *children(self.pid)):
            # The process of a connection may end at this moment.
            with suppress(FileNotFoundError, ProcessLookupError):
                live += processor_seconds(pid)
        return live + ended / os.sysconf("SC_CLK_TCK")
