"""The tests compare the modules of the picture with those of the URL's QR code. A scanner reads only these."""

import re
from xml.etree import ElementTree as ET

import pytest
import segno
from pytest_django import Settings

from tests.client import Api
from tests.people import Person, SignedIn, existing_session, sign_up
from tests.second_factors import enroll_totp

pytestmark = pytest.mark.usefixtures("travel")

SVG = "{http://www.w3.org/2000/svg}"
QUIET_ZONE = 4


def enroll(session: SignedIn) -> str:
    url: str = session.api.post("/v1/totp/enroll", token=session.access).data["otpauth_url"]
    return url


def get_qr_code(api: Api, session: SignedIn) -> tuple[int, str]:
    answer = api.get("/v1/totp/qr.svg", token=session.access)
    return answer.status, answer.code


def fetch(session: SignedIn) -> tuple[int, dict[str, str], bytes]:
    """Fetch the picture; return its status, headers and bytes, since the answer is not JSON."""
    headers = {"Authorization": f"Bearer {session.access}"}
    response = session.api.client.get("/v1/totp/qr.svg", headers=headers)
    return response.status_code, dict(response.headers), response.content


def modules(picture: bytes) -> list[list[int]]:
    """Return the modules of the picture as a matrix without the quiet zone. A dark module is 1."""
    root = ET.fromstring(picture)  # noqa: S314 - our own picture
    background, dark = root.iter(f"{SVG}path")
    size = int(re.fullmatch(r"M0 0h(\d+)v\1h-\1z", background.attrib["d"])[1])  # type: ignore[index]  # or it fails
    matrix = [[0] * size for _ in range(size)]
    x = y = 0.0
    for command, *numbers in re.findall(r"([MmHh])(-?[\d.]+)(?: (-?[\d.]+))?", dark.attrib["d"]):
        right, down = (float(number or 0) for number in numbers)
        match command:
            case "M":
                x, y = right, down
            case "m":
                x, y = x + right, y + down
            case "h":
                for column in range(int(x), int(x + right)):
                    matrix[int(y)][column] = 1
                x += right
    inside = slice(QUIET_ZONE, size - QUIET_ZONE)
    assert not any(map(any, matrix[:QUIET_ZONE] + matrix[-QUIET_ZONE:]))
    return [row[inside] for row in matrix[inside]]


def test_the_picture_encodes_the_url_of_the_enrolment(alice: Person) -> None:
    session = existing_session(alice)
    url = enroll(session)

    status, headers, picture = fetch(session)

    assert status == 200
    assert headers["Content-Type"] == "image/svg+xml"
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert modules(picture) == [list(row) for row in segno.make(url, error="l").matrix]


def test_the_picture_contains_only_black_and_white_paths(alice: Person) -> None:
    session = existing_session(alice)
    enroll(session)

    _, _, picture = fetch(session)

    root = ET.fromstring(picture)  # noqa: S314 - our own picture
    assert {element.tag for element in root.iter()} == {f"{SVG}svg", f"{SVG}g", f"{SVG}path"}
    assert [path.attrib.get("fill") or path.attrib["stroke"] for path in root.iter(f"{SVG}path")] == ["#fff", "#000"]


def test_a_new_enrolment_has_a_new_picture(alice: Person) -> None:
    session = existing_session(alice)
    enroll(session)
    _, _, first = fetch(session)

    url = enroll(session)

    _, _, second = fetch(session)
    assert first != second
    assert modules(second) == [list(row) for row in segno.make(url, error="l").matrix]


def test_there_is_no_picture_before_an_enrolment(api: Api, alice: Person) -> None:
    assert get_qr_code(api, existing_session(alice)) == (400, "totp_not_enabled")


def test_the_picture_of_a_confirmed_app_is_not_shown(api: Api, alice: Person) -> None:
    session = alice.log_in()
    enroll_totp(session)

    assert get_qr_code(api, session) == (409, "totp_already_enabled")


def test_only_the_owner_sees_the_picture(api: Api, alice: Person, bob: Person) -> None:
    enroll(existing_session(alice))

    assert get_qr_code(api, existing_session(bob)) == (400, "totp_not_enabled")
    assert api.get("/v1/totp/qr.svg").code == "missing_auth_header"


@pytest.mark.parametrize("letter", ["a", "ü", "日", "𝒜"])
def test_the_longest_address_has_a_picture_too(letter: str) -> None:
    session = sign_up(f"{letter * 242}@example.com").log_in()
    url = enroll(session)

    status, _, picture = fetch(session)

    assert status == 200
    assert modules(picture) == [list(row) for row in segno.make(url, error="l").matrix]


def test_the_longest_address_and_the_longest_issuer_have_a_picture_together(settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "TOTP_ISSUER": "🗝" * 60}
    session = sign_up(f"{'🗝' * 242}@example.com").log_in()
    url = enroll(session)

    status, _, picture = fetch(session)

    assert status == 200
    assert 2_700 < len(url) < 2_953
    assert modules(picture) == [list(row) for row in segno.make(url, error="l").matrix]
