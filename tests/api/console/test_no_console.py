"""The console's addresses on an embedded deployment."""

from tests.console_browser import Browser
from tests.operators import only_on_embedded
from tests.rows import each


@only_on_embedded
@each("path", ["/console", "/console/", "/console/users?q=a", "/console/sign-in", "/console/a\n/b"])
@each("method", ["GET", "POST", "PUT", "NONSENSE"])
def test_an_embedded_deployment_explains_why_there_is_no_console(path: str, method: str) -> None:
    page = Browser().client.generic(method, path, b"x", headers={"Host": "elsewhere.example"})

    assert page.status_code == 501
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert page.headers["Content-Language"] == "en"
    assert "run <code>manage.py promote postgresql://…</code>" in page.content.decode()
