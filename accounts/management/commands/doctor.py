"""`manage.py doctor`: examine a running deployment, and say what to do."""

import sys
from textwrap import fill
from typing import Any

from django.core.management.base import BaseCommand

from core import clock

from ...ops.doctor import Finding, Verdict, examine

WIDTH = 100


class Command(BaseCommand):
    """Prints each finding. The exit code is 1 when there is a fault, and otherwise 0."""

    help = "Examine the running deployment: settings, keys, disk, mail, database, counters, clock, worker and proxies."
    # The findings include those of the system checks, and no check may stop the examination.
    requires_system_checks = ()

    def handle(self, **options: Any) -> None:
        counts = dict.fromkeys(Verdict, 0)
        for finding in examine(now=clock.now()):
            counts[finding.verdict] += 1
            self.stdout.write(_lines(finding))
        self.stdout.write(f"\nFaults: {counts[Verdict.FAULT]}. Advice: {counts[Verdict.ADVICE]}.")
        if counts[Verdict.FAULT]:
            self.stdout.flush()
            sys.exit(1)


def _lines(finding: Finding) -> str:
    head = f"{finding.verdict.value:<7} {finding.subject:<11}"
    indent = " " * len(head)
    found = fill(finding.found, WIDTH, initial_indent=head, subsequent_indent=indent, break_long_words=False)
    if not finding.action:
        return found
    arrow = f"{indent}-> "
    action = fill(finding.action, WIDTH, initial_indent=arrow, subsequent_indent=f"{indent}   ", break_long_words=False)
    return f"{found}\n{action}"
