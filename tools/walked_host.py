"""The machine of a service whose pages a walk visits. Its commands run with the variables of the service."""

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent
_END_RECOVERIES = """
from core.clock import now
from mfa.models import AccountRecovery
AccountRecovery.objects.update(ready_at=now(), due_at=now())
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkedHost:
    """The machine of the running service."""

    variables: Mapping[str, str]

    def manage(self, *arguments: str) -> str:
        """Run a command of the service, and return its output."""
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(
            command, cwd=_ROOT, env=self.variables, stdout=subprocess.PIPE, text=True, check=True
        ).stdout

    def end_waits_of_recoveries(self) -> None:
        """Let the wait of each running recovery be over. The worker then mails the link of its completion."""
        self.manage("shell", "--no-imports", "-c", _END_RECOVERIES)
