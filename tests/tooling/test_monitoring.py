"""The dashboard and the alert rules: their queries are valid, and name only metrics that exist."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.processes.running import ROOT

pytestmark = pytest.mark.once

MONITORING = ROOT / "deploy" / "monitoring"
SUFFIX = re.compile(r"_(bucket|count|sum)$")


def documented() -> set[str]:
    """Return the metrics in the table of the page for operators. A test scrapes each of them from a service."""
    rows = re.findall(r"^\| (`gatehouse_.*?) \|", (ROOT / "docs" / "monitoring.md").read_text(), re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`(\w+)`", row)}


def queries() -> Iterator[str]:
    """Yield the queries of the dashboard."""
    dashboard: dict[str, Any] = json.loads((MONITORING / "dashboard.json").read_text())
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            yield target["expr"].replace("$__rate_interval", "5m")


def promtool(*arguments: str, cwd: Path) -> str:
    """Run promtool, which must succeed, and return its output."""
    if shutil.which("promtool") is None:
        pytest.skip("promtool is missing; Debian has it in the package prometheus")
    done = subprocess.run(["promtool", *arguments], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_dashboard_and_alerts_name_only_documented_metrics() -> None:
    text = (MONITORING / "alerts.yml").read_text() + "\n".join(queries())

    named = {SUFFIX.sub("", name) for name in re.findall(r"\bgatehouse_\w+", text)}

    assert named <= documented()
    assert len(named) > 10


def test_promtool_accepts_the_alert_rules_and_their_tests() -> None:
    assert "SUCCESS" in promtool("check", "rules", "alerts.yml", cwd=MONITORING)
    promtool("test", "rules", "alerts_test.yml", cwd=MONITORING)


def test_promtool_accepts_the_queries_of_the_dashboard(tmp_path: Path) -> None:
    rules = [{"record": f"panel:{number}", "expr": query} for number, query in enumerate(queries())]
    # JSON is YAML too.
    (tmp_path / "rules.yml").write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))

    promtool("check", "rules", "rules.yml", cwd=tmp_path)


def test_each_alert_says_what_to_do() -> None:
    text = (MONITORING / "alerts.yml").read_text()

    alerts = text.split("- alert: ")[1:]

    assert len(alerts) > 10
    for alert in alerts:
        assert re.search(r'summary: ".+\."\n\s+action: ".+\."', alert), alert
