"""The CPU time of the PostgreSQL server."""

import os
from contextlib import suppress
from pathlib import Path

import psycopg

from tests.load.service import Process, processor_ticks


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
        while True:
            ended, pids = found = self._processes()
            ticks = ended
            for pid in pids:
                with suppress(FileNotFoundError, ProcessLookupError):
                    ticks += processor_ticks(pid)
            # While connections end, the kernel's list can lack others, and the time of a connection can count nowhere. A
            # peer that closed its connections after the load then seemed to use less than nothing.
            if self._processes() == found:
                return ticks / os.sysconf("SC_CLK_TCK")

    def _processes(self) -> tuple[int, list[int]]:
        """Return the CPU time of the processes that the server has collected, in ticks of the clock, and the others."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        user_of_ended, system_of_ended = 13, 14
        others = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        return int(fields[user_of_ended]) + int(fields[system_of_ended]), [self.pid, *map(int, others)]
