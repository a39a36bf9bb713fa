"""The addresses of applications to which a sign-in may lead."""

from pages.return_addresses import ReturnAddress, is_permitted
from tests.rows import each

LISTED = (
    ReturnAddress(origin="https://app.example", path=""),
    ReturnAddress(origin="https://shop.example:8443", path="/signed-in"),
    ReturnAddress(origin="http://localhost:3000", path=""),
)


@each(
    "address",
    [
        "https://app.example",
        "https://app.example/",
        "https://APP.example/a/b?next=%2Fc&d=e",
        "https://app.example:443/a",
        "https://app.example/a%20b/c",
        "https://shop.example:8443/signed-in",
        "https://shop.example:8443/signed-in/google?x=//eve.example",
        "http://localhost:3000/callback",
    ],
)
def test_listed_addresses_are_permitted(address: str) -> None:
    assert is_permitted(address, listed=LISTED)


@each(
    "address",
    [
        "",
        "/",
        "app.example",
        "//app.example/",
        "http://app.example/",
        "ftp://app.example/",
        "javascript:https://app.example/",
        "data:text/html,https://app.example/",
        "https:/app.example/",
        "https:app.example/",
        "https:///app.example/",
        "https://eve.example/",
        "https://app.example.eve.example/",
        "https://eve.app.example/",
        "https://app.example./",
        "https://app.example@eve.example/",
        "https://app.example:password@eve.example/",
        "https://eve@app.example/",
        "https://app.example:8443/",
        "https://app.example:443:443/",
        "https://app.example:/",
        "https://app.example:0443/",
        "https://app.example\\@eve.example/",
        "https://eve.example\\.app.example/",
        "https://app.example\\eve",
        "https://app.example#@eve.example/",
        "https://app.example/#fragment",
        "https://app.example?a=b",
        "https://app.example/a\\b",
        "https://app.example//eve.example",
        "https://app.example/a//b",
        "https://app.example/../a",
        "https://app.example/./a",
        "https://app.example/%2e%2e/a",
        "https://app.example/%2E/a",
        "https://app.example/a%2fb",
        "https://app.example/a%5Cb",
        "https://app.example/a%252fb",
        "https://app.example/a%00",
        "https://app.example/a%0d%0aSet-Cookie:a",
        "https://app.example/a%zz",
        "https://app.example/\r\nSet-Cookie: a=b",
        "https://app.example/\ta",
        " https://app.example/",
        "https://app.example/ ",
        "https://app.example/\u2025/a",
        "https://\uff41pp.example/",
        "https://app\u3002example/",
        "https://app.example\u2044eve.example/",
        "https://xn--pp-yla.example/",
        "https://shop.example/signed-in",
        "https://shop.example:8443/",
        "https://shop.example:8443/signed-in-too",
        "https://shop.example:8443/signed-in/../admin",
        "https://shop.example:8443/SIGNED-IN",
        "https://shop.example:8443/signed-in%2f..%2fadmin",
        "http://127.0.0.1:3000/callback",
        "http://localhost:3001/callback",
        "https://app.example/" + "a" * 2_000,
    ],
)
def test_all_other_addresses_are_refused(address: str) -> None:
    assert not is_permitted(address, listed=LISTED)
