"""The rewriting of the modules for the wheel. tests/hosts has the tests of the wheel."""

import pytest

import setup
from tests.rows import each

pytestmark = pytest.mark.once


@each(
    "source, rewritten",
    [
        ("from accounts import users", "from gatehouse.accounts import users"),
        ("from mfa.conf import settings", "from gatehouse.mfa.conf import settings"),
        ("import mfa.conf as conf", "import gatehouse.mfa.conf as conf"),
        ("import mfa.conf\nuse('é', mfa.conf)", "import gatehouse.mfa.conf\nuse('é', gatehouse.mfa.conf)"),
        ("from . import mfa\nmfa.conf", "from . import mfa\nmfa.conf"),
        ("accounts = accounts.filter()", "accounts = accounts.filter()"),
        ("x = 'core.db'  # mfa.conf", "x = 'gatehouse.core.db'  # gatehouse.mfa.conf"),
        ("x = f'see mfa.conf and {mfa}'", "x = f'see gatehouse.mfa.conf and {mfa}'"),
        ("x = '''\n  `manage.py worker`, `worker`'''", "x = '''\n  `manage.py gatehouse_worker`, `worker`'''"),
        ("x = 'https://accounts.google.com'", "x = 'https://accounts.google.com'"),
        (
            "x = {'console.css': 'mfa', 'authsvc_accounts.User': 0}",
            "x = {'console.css': 'mfa', 'authsvc_accounts.User': 0}",
        ),
    ],
)
def test_the_build_puts_the_prefix_before_references_only(source: str, rewritten: str) -> None:
    assert setup.rewrite(source) == rewritten


def test_the_build_refuses_a_variable_with_the_name_of_an_imported_app() -> None:
    with pytest.raises(ValueError, match="Line 2 binds mfa"):
        setup.rewrite("import mfa.conf\ndef use(mfa): return mfa.conf")
