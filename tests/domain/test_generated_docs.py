from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection

only_on_full = pytest.mark.skipif(
    settings.SETTINGS_MODULE != "tests.projects.postgresql", reason="the pages describe the standalone full deployment"
)


def generate(directory: Path, *, check: bool = False) -> str:
    said = StringIO()
    call_command("generate_docs", to=directory, check=check, stdout=said)
    return said.getvalue()


@only_on_full
def test_the_pages_are_written_and_then_up_to_date(tmp_path: Path) -> None:
    pages = ["errors.md", "settings.md", "users-format.schema.json"]
    assert sorted(line.rpartition("/")[2] for line in generate(tmp_path).splitlines()) == pages

    assert generate(tmp_path, check=True) == ""


@only_on_full
@pytest.mark.parametrize("page", ["errors.md", "settings.md", "users-format.schema.json"])
def test_an_outdated_page_is_named_and_not_changed(tmp_path: Path, page: str) -> None:
    generate(tmp_path)
    (tmp_path / page).write_text("something else")

    with pytest.raises(CommandError, match=f"Out of date: {page}\\."):
        generate(tmp_path, check=True)

    assert (tmp_path / page).read_text() == "something else"


@only_on_full
def test_a_missing_page_is_outdated(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"errors\.md, settings\.md"):
        generate(tmp_path, check=True)


@only_on_full
def test_the_page_of_errors_lists_the_routes_of_each_error(tmp_path: Path) -> None:
    generate(tmp_path)

    page = (tmp_path / "errors.md").read_text()
    assert "| `token_reused` |" in page
    assert "| `missing_auth_header` |" in page
    assert page.count("| every route that takes a token") == 4
    assert "`DELETE /v1/sessions/{session_id}`" in page


@only_on_full
def test_the_page_of_settings_lists_every_setting_once(tmp_path: Path) -> None:
    generate(tmp_path)

    lines = (tmp_path / "settings.md").read_text().splitlines()
    names = [line.split("`")[1] for line in lines if line.startswith("| `")]
    assert len(names) == len(set(names))
    assert {"DATABASE_URL", "BASE_URL", "RATE_LIMITS", "LOCKOUT_THRESHOLD", "GEOIP"} <= set(names)
    assert "| `ACCESS_TOKEN_SECONDS` | `900` | a whole number of at least 1 and at most 2147483647 |" in "\n".join(
        lines
    )


@pytest.mark.skipif(connection.vendor == "postgresql", reason="a full deployment knows all routes")
def test_an_embedded_deployment_cannot_write_the_pages(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="full deployment"):
        generate(tmp_path)
