"""The script `./dev`."""

import ast
import base64
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import time
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import psycopg
import pytest

from tools.local_postgres import free_port

pytestmark = pytest.mark.once

ROOT = Path(__file__).parents[2]

MANAGE = """
import os, signal, sys
signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
signal.signal(signal.SIGINT, lambda *_: sys.exit(8))
print(sys.argv[1:], flush=True)
print(os.environ.get("BASE_URL"), flush=True)
print(os.environ.get("DATABASE_URL"), flush=True)
print(len(os.environ["SECRET_KEY"]), flush=True)
if sys.argv[1] == "serve":
    signal.pause()
sys.exit(3)
"""


WORKERS = ["-n", str((os.cpu_count() or 1) + 1), "--dist", "worksteal"]


def load(directory: Path) -> ModuleType:
    loader = SourceFileLoader("dev", str(directory / "dev"))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def copy_to(directory: Path) -> Path:
    (directory / "tools").mkdir(parents=True)
    for name in ("dev", "tools/__init__.py", "tools/local_postgres.py"):
        shutil.copy(ROOT / name, directory / name)
    (directory / "requirements.lock").touch()
    return directory


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A fresh clone below a directory whose name has blanks."""
    return copy_to(tmp_path / "a fresh clone")


@pytest.fixture
def checkout(clone: Path) -> Path:
    """A clone that uses the ready environment of these tests."""
    (clone / ".venv" / "bin").mkdir(parents=True)
    (clone / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (clone / ".venv" / "lib").symlink_to(Path(sys.prefix) / "lib")
    (clone / "manage.py").write_text(MANAGE)
    dev = load(clone)
    dev.STAMP.write_text(dev.fingerprint())
    return clone


def start(checkout: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, checkout / "dev", *arguments],
        cwd=checkout.parent,
        env={
            name: value for name, value in os.environ.items() if name not in {"BASE_URL", "DATABASE_URL", "SECRET_KEY"}
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def call(checkout: Path, *arguments: str) -> tuple[int, str, str]:
    with start(checkout, *arguments) as process:
        output, errors = process.communicate()
    return process.returncode, output, errors


@pytest.mark.parametrize("arguments", [(), ("--help",), ("-h",)])
def test_help_lists_every_command_and_needs_no_environment(clone: Path, arguments: tuple[str, ...]) -> None:
    code, output, errors = call(clone, *arguments)

    assert (code, errors) == (0, "")
    assert all(f"\n  {command} " in output for command in load(clone).COMMANDS)
    assert not (clone / ".venv").exists()


def test_an_unknown_command_prints_one_line_and_exits_with_code_2(clone: Path) -> None:
    assert call(clone, "deploy") == (2, "", "dev: there is no command 'deploy'. ./dev lists the commands.\n")


@pytest.mark.parametrize("name", ["dev", "tools/local_postgres.py"])
def test_an_old_python_can_parse_the_script_up_to_the_explanation(name: str) -> None:
    ast.parse((ROOT / name).read_text(), feature_version=(3, 7))


def test_an_old_python_gets_an_explanation_of_the_required_version(
    clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dev = load(clone)

    with monkeypatch.context() as patch:
        patch.setattr(sys, "version_info", (3, 9, 18, "final", 0))
        with pytest.raises(SystemExit) as exit_info:
            dev.require_python()

    assert f"needs Python 3.11 or newer, and {sys.executable} is 3.9.18." in str(exit_info.value)


def test_a_python_without_venv_gets_the_package_to_install(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dev = load(clone)
    monkeypatch.setattr(sys, "executable", "/bin/false")

    with pytest.raises(SystemExit, match=r"could not make an environment, see above.\n.*apt install python3.\d+-venv"):
        dev.make_venv()


def test_setup_creates_an_environment_once(clone: Path) -> None:
    code, output, errors = call(clone, "setup")

    assert (code, output) == (0, "")
    assert errors.splitlines()[0].startswith(f"Making the environment {clone}/.venv")
    assert errors.splitlines()[-1].startswith("The environment is ready, after ")
    assert subprocess.run([clone / ".venv/bin/python", "-m", "pip", "--version"], check=False).returncode == 0
    assert call(clone, "setup") == (0, "", "")


def test_an_environment_is_ready_only_after_a_complete_setup(checkout: Path) -> None:
    dev = load(checkout)
    assert dev.is_venv_ready()

    dev.STAMP.unlink()

    assert not dev.is_venv_ready()


def test_a_changed_lock_outdates_the_environment(checkout: Path) -> None:
    dev = load(checkout)

    dev.LOCK.write_text("django==5.2\n")

    assert not dev.is_venv_ready()


def test_a_moved_environment_is_not_ready(checkout: Path) -> None:
    elsewhere = checkout.rename(checkout.with_name("elsewhere"))

    assert not load(elsewhere).is_venv_ready()


def test_an_environment_without_its_interpreter_is_not_ready(checkout: Path) -> None:
    interpreter = checkout / ".venv" / "bin" / "python"
    interpreter.unlink()
    interpreter.symlink_to("/nonexistent/python3")

    assert not load(checkout).is_venv_ready()


def test_an_environment_on_another_interpreter_is_not_ready(checkout: Path) -> None:
    interpreter = checkout / ".venv" / "bin" / "python"
    interpreter.unlink()
    interpreter.write_text("upgraded in place")

    assert not load(checkout).is_venv_ready()


def test_env_is_written_once_and_only_its_owner_can_read_it(clone: Path) -> None:
    dev = load(clone)

    dev.ensure_dotenv()
    written = dev.ENV.read_text()
    dev.ensure_dotenv()

    assert dev.ENV.stat().st_mode & 0o777 == 0o600
    assert dev.ENV.read_text() == written
    assert dev.env_text() != written


def test_env_holds_fresh_keys_and_generous_limits(clone: Path) -> None:
    dev = load(clone)

    variables = dev.parse_env(dev.env_text(), source=".env")

    assert list(variables) == [
        "SECRET_KEY",
        "ENCRYPTION_KEY",
        "SETTINGS_ENCRYPTION_KEY",
        "DEBUG",
        "EMAIL_URL",
        "CORS_ALLOWED_ORIGINS",
        "RATE_LIMITS",
    ]
    assert len(variables["SECRET_KEY"]) >= 50
    assert len(base64.b64decode(variables["ENCRYPTION_KEY"], validate=True)) == 32
    assert len(base64.b64decode(variables["SETTINGS_ENCRYPTION_KEY"], validate=True)) == 32
    assert variables["ENCRYPTION_KEY"] != variables["SETTINGS_ENCRYPTION_KEY"]
    assert (variables["DEBUG"], variables["EMAIL_URL"]) == ("off", "console://")
    assert variables["RATE_LIMITS"] == (
        "signup=3000/m,login=60/m,login_ip=3000/m,completion=60/m,completion_ip=3000/m,"
        "mail=60/m,mail_ip=3000/m,password=60/m,edge=60000/m"
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", {}),
        ("   # A=1", {}),
        ("A=1", {"A": "1"}),
        ("  A = 1  ", {"A": "1"}),
        ("A=", {"A": ""}),
        ("A=b c # d", {"A": "b c # d"}),
        ('A=" b "', {"A": " b "}),
        ("A='b=\"c\"'", {"A": 'b="c"'}),
        ("A=it's=", {"A": "it's="}),
        ("A=1\nB=2\r\nA=3", {"A": "3", "B": "2"}),
    ],
)
def test_a_line_of_env_is_a_variable_or_a_comment(clone: Path, line: str, expected: dict[str, str]) -> None:
    assert load(clone).parse_env(line, source=".env") == expected


@pytest.mark.parametrize("line", ["A", "=1", "A B=1", "1A=1", "export A=1", 'A="1', "A='1\"", 'A="1" 2', "Ä=1"])
def test_an_invalid_line_of_env_is_named(clone: Path, line: str) -> None:
    with pytest.raises(SystemExit, match=r"^dev: \.env, line 3: not of the form KEY=VALUE$"):
        load(clone).parse_env(f"A=1\n\n{line}\nB=2", source=".env")


def test_existing_variables_take_precedence_over_env(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dev = load(clone)
    dev.ENV.write_text("SECRET_KEY=from-file\nGATEHOUSE_TEST=from-file\n")
    monkeypatch.setenv("SECRET_KEY", "from-environment")

    variables = dev.environment()

    assert (variables["SECRET_KEY"], variables["GATEHOUSE_TEST"]) == ("from-environment", "from-file")


def test_manage_has_the_variables_of_env_and_keeps_the_exit_code(checkout: Path) -> None:
    first = call(checkout, "manage", "--flag", "a b")
    second = call(checkout, "manage", "--flag", "a b")

    output = "['--flag', 'a b']\nNone\nNone\n67\n"
    assert first == (3, output, f"Wrote {checkout}/.env with fresh keys, readable only by you.\n")
    assert second == (3, output, "")


def test_only_the_owner_can_read_var(checkout: Path) -> None:
    call(checkout, "manage", "check")

    assert (checkout / "var").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 7), (signal.SIGINT, 8)])
def test_run_serves_on_the_port_and_stops_like_the_server(checkout: Path, number: signal.Signals, code: int) -> None:
    port = str(free_port())

    with start(checkout, "run", "--port", port) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline().strip() for _ in range(4)]
        process.send_signal(number)

    assert process.returncode == code
    assert lines == [f"['serve', '--host', '127.0.0.1', '--port', '{port}']", f"http://localhost:{port}", "None", "67"]


def test_run_full_starts_a_database_that_manage_shares_and_stops_it_at_the_end(checkout: Path) -> None:
    with start(checkout, "run", "--full", "--port", str(free_port())) as process:
        assert process.stdout is not None
        url = [process.stdout.readline().strip() for _ in range(3)][2]
        with psycopg.connect(url) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
        _, output, errors = call(checkout, "manage", "check")
        process.send_signal(signal.SIGTERM)

    assert process.returncode == 7
    assert output.splitlines()[2] == url
    assert errors == "On the PostgreSQL of the running ./dev run --full.\n"
    with start(checkout, "run", "--full", "--port", str(free_port())) as process:
        assert process.stdout is not None
        url = [process.stdout.readline().strip() for _ in range(3)][2]
        with psycopg.connect(url) as connection:
            assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)
        process.kill()
    deadline = time.monotonic() + 10
    while load(checkout).find_running_url(data=checkout / "var" / "postgres", database="gatehouse"):
        assert time.monotonic() < deadline


@pytest.mark.parametrize(
    ("arguments", "parallel"),
    [
        ([], True),
        (["-k", "none or numbers", "--no-header"], True),
        (["-n", "1"], False),
        (["-n0"], False),
        (["--numprocesses=3"], False),
        (["-x", "-p", "no:xdist"], False),
        (["-pno:xdist"], False),
        (["tests/api", "--pdb"], False),
        (["tests/api", "tests/model/test_family.py"], True),
        (["-x", "tests/model/test_family.py"], False),
        (["tests/model/test_family.py::test_sessions_live_and_end_as_the_model_predicts"], False),
    ],
)
def test_tests_run_in_parallel_unless_the_arguments_forbid_it(
    clone: Path, arguments: list[str], *, parallel: bool
) -> None:
    assert load(clone).parallelism(arguments) == (WORKERS if parallel else [])


@pytest.mark.parametrize(
    ("arguments", "projects"),
    [
        ([], ["sqlite", "postgresql", "host", "hosts"]),
        (["-k", "refresh"], ["sqlite", "postgresql", "host", "hosts"]),
        (["tests/hosts"], ["hosts"]),
        (["-x", "tests/hosts/test_wheel.py::test_types"], ["hosts"]),
        (["tests/api"], ["sqlite", "postgresql", "host"]),
        (["tests/api", "tests/hosts"], ["sqlite", "postgresql", "host"]),
    ],
)
def test_paths_choose_between_the_foreign_sites_and_the_other_projects(
    clone: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], projects: list[str]
) -> None:
    monkeypatch.chdir(clone)
    for folder in ("api", "hosts"):
        (clone / "tests" / folder).mkdir(parents=True)
    (clone / "tests" / "hosts" / "test_wheel.py").touch()

    assert load(clone).projects_with(arguments) == projects


@pytest.mark.parametrize(
    ("arguments", "every", "rounds", "expected"),
    [
        ([], False, None, {"ONLY_PLACED_TESTS": "1"}),
        (["-k", "refresh"], False, None, {"ONLY_PLACED_TESTS": "1"}),
        (["tests/api"], False, None, {}),
        (["tests/api/test_login.py::test_name"], False, None, {}),
        ([], True, None, {"RANDOM_EXAMPLES": "1"}),
        (["tests/api"], True, 20, {"RANDOM_EXAMPLES": "1", "RACE_ROUNDS": "20"}),
    ],
)
def test_a_run_without_paths_has_only_the_tests_of_each_project(
    clone: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    rounds: int | None,
    expected: dict[str, str],
    *,
    every: bool,
) -> None:
    monkeypatch.chdir(clone)
    (clone / "tests" / "api").mkdir(parents=True)
    (clone / "tests" / "api" / "test_login.py").touch()

    assert load(clone).variables_of(arguments, every=every, rounds=rounds) == expected


@pytest.mark.parametrize(
    ("codes", "selected", "expected"),
    [
        ([0, 0, 0], False, 0),
        ([0, 1, 0], False, 1),
        ([2, 1, 0], False, 2),
        ([0, 5, 0], False, 5),
        ([0, 5, 0], True, 0),
        ([5, 1, 5], True, 1),
        ([5, 5, 5], True, 5),
    ],
)
def test_a_selection_of_tests_may_be_empty_in_some_projects(
    clone: Path, codes: list[int], expected: int, *, selected: bool
) -> None:
    assert load(clone).overall(codes, selected=selected) == expected


def test_a_terminated_command_lets_its_child_clean_up(clone: Path) -> None:
    child = (
        "import time\n"
        "try:\n"
        "    print('started', flush=True)\n"
        "    time.sleep(60)\n"
        "finally:\n"
        "    print('cleared up', flush=True)\n"
    )
    parent = (
        "import runpy, signal, sys\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"runpy.run_path('dev')['run_command']([sys.executable, '-c', {child!r}], variables={{}})"
    )
    with subprocess.Popen(
        [sys.executable, "-c", parent], cwd=clone, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "started\n"

        process.terminate()

        assert process.stdout.read() == "cleared up\n"
    assert process.returncode == 143
