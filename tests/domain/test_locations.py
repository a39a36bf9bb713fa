import multiprocessing
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from mmdb_writer import MMDBWriter
from netaddr import IPSet  # type: ignore[import-untyped]  # the writer takes nothing else
from pytest_django import Settings

from sessions_app.detection import geolocators
from sessions_app.detection.locations import NO_LOCATION, Location, check_geoip, locate
from tests.rows import each

pytestmark = pytest.mark.once

LONDON = {
    "city": {"names": {"de": "London (Stadt)", "en": "London"}},
    "subdivisions": [
        {"iso_code": "ENG", "names": {"en": "England"}},
        {"iso_code": "LND", "names": {"en": "Greater London"}},
    ],
    "country": {"iso_code": "GB", "names": {"en": "United Kingdom"}},
}
IN_LONDON = "81.2.69.142"

PRIVATE = ["10.0.0.1", "127.0.0.1", "192.168.1.1", "100.64.0.1", "::1", "fe80::1%eth0", "fd00::1", "2001:db8::1"]
MALFORMED = ["", " ", "nonsense", "1.2.3", "1.2.3.4.5", "8.8.8.8\0", "8.8.8.8 ", "\ud800", "1" * 600]

SetGeoip = Callable[[object], None]


@pytest.fixture
def geoip(settings: Settings) -> SetGeoip:
    """Set GEOIP."""

    def set_to(value: object) -> None:
        settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "GEOIP": str(value)}

    return set_to


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of the test's own database."""
    return tmp_path / "places.mmdb"


def write(path: Path, networks: Mapping[str, Any], *, ip_version: int = 6) -> None:
    """Put a database with the networks' records in place by a rename, as an updater does."""
    writer = MMDBWriter(ip_version, "Test-City", ipv4_compatible=ip_version == 6)
    for network, record in networks.items():
        writer.insert_network(IPSet([network]), record)
    new = path.with_suffix(".new")
    writer.to_db_file(str(new))
    new.rename(path)


def in_city(name: str) -> Mapping[str, Any]:
    """Return the networks of a database with one city."""
    return {"81.2.69.0/24": {"city": {"names": {"en": name}}}}


@pytest.mark.parametrize("ip", [IN_LONDON, "2001:4860:4860::8888", "127.0.0.1", "", "nonsense"])
def test_without_a_geolocator_no_address_has_a_location(geoip: SetGeoip, ip: str) -> None:
    geoip("")

    assert locate(ip) == Location(city="", region="", country="")


@pytest.mark.parametrize(("ip", "country"), [("8.8.8.8", "US"), ("85.1.1.1", "CH"), ("2001:4860:4860::8888", "US")])
def test_the_country_table_returns_the_country(geoip: SetGeoip, ip: str, country: str) -> None:
    geoip("country")

    assert locate(ip) == Location(city="", region="", country=country)


def test_a_city_database_returns_city_region_and_country(geoip: SetGeoip, path: Path) -> None:
    write(path, {"81.2.69.0/24": LONDON, "2001:218::/32": {"country": {"iso_code": "JP"}}})
    geoip(path)

    assert locate(IN_LONDON) == Location(city="London", region="England", country="GB")
    assert locate("2001:218::1") == Location(city="", region="", country="JP")


def test_a_country_database_returns_the_country_as_the_table_does(geoip: SetGeoip, path: Path) -> None:
    write(path, {"8.8.8.0/24": {"country": {"iso_code": "US", "names": {"en": "United States"}}}})
    geoip(path)

    assert locate("8.8.8.8") == Location(city="", region="", country="US")


@each("source", ["country", "file"])
@each("ip", [*PRIVATE, *MALFORMED])
def test_private_and_invalid_addresses_have_no_location(geoip: SetGeoip, path: Path, source: str, ip: str) -> None:
    write(path, {"81.2.69.0/24": LONDON})
    geoip(path if source == "file" else source)

    assert locate(ip) == NO_LOCATION


def test_a_file_with_only_ipv4_returns_no_location_for_ipv6(geoip: SetGeoip, path: Path) -> None:
    write(path, {"81.2.69.0/24": LONDON}, ip_version=4)
    geoip(path)

    assert locate(IN_LONDON).city == "London"
    assert locate("2001:4860:4860::8888") == NO_LOCATION


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"city": {}, "subdivisions": [], "country": {}},
        {"city": {"names": {"de": "Wien"}}, "subdivisions": [{}], "country": {"names": {"en": "Austria"}}},
        {"city": "Vienna", "subdivisions": "Vienna", "country": "AT"},
        {"city": ["Vienna"], "subdivisions": {"names": {"en": "Vienna"}}, "country": {"iso_code": 40}},
        "Vienna",
    ],
)
def test_a_record_with_another_layout_returns_no_location(geoip: SetGeoip, path: Path, record: Any) -> None:
    write(path, {"81.2.69.0/24": record})
    geoip(path)

    assert locate(IN_LONDON) == NO_LOCATION


def test_a_file_is_checked_only_every_few_seconds(geoip: SetGeoip, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(geolocators, "RECHECK_SECONDS", 3600)
    write(path, in_city("London"))
    geoip(path)
    locate(IN_LONDON)

    write(path, in_city("Londinium"))

    assert locate(IN_LONDON).city == "London"


def test_an_unchanged_file_stays_open(geoip: SetGeoip, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(geolocators, "RECHECK_SECONDS", 0)
    write(path, in_city("London"))
    geoip(path)
    locate(IN_LONDON)
    reader = geolocators.database(str(path))._file.content

    locate(IN_LONDON)

    assert geolocators.database(str(path))._file.content is reader


def test_a_replaced_file_is_opened_again(geoip: SetGeoip, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(geolocators, "RECHECK_SECONDS", 0)
    write(path, in_city("London"))
    geoip(path)
    before = locate(IN_LONDON)

    write(path, in_city("Londinium"))

    assert (before.city, locate(IN_LONDON).city) == ("London", "Londinium")


def test_the_last_valid_file_stays_in_use(
    geoip: SetGeoip, path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(geolocators, "RECHECK_SECONDS", 0)
    write(path, in_city("London"))
    geoip(path)
    locate(IN_LONDON)

    path.unlink()
    without = locate(IN_LONDON)
    path.write_bytes(b"half a downl")
    broken = locate(IN_LONDON)
    write(path, in_city("Londinium"))
    mended = locate(IN_LONDON)

    assert (without.city, broken.city, mended.city) == ("London", "London", "Londinium")
    assert [record.message for record in caplog.records] == ["the GEOIP file cannot be read"] * 2
    assert all(str(path) in vars(record)["reason"] for record in caplog.records)


def test_a_damaged_file_returns_no_location_and_is_logged(
    geoip: SetGeoip, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write(path, in_city("London"))
    content = path.read_bytes()
    path.write_bytes(bytes(200) + content[200:])
    geoip(path)

    assert locate(IN_LONDON) == NO_LOCATION
    (line,) = caplog.records
    assert line.message == "the GEOIP file is damaged"
    assert vars(line)["reason"]


def test_threads_read_while_the_file_is_replaced(geoip: SetGeoip, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(geolocators, "RECHECK_SECONDS", 0)
    write(path, in_city("London"))
    geoip(path)
    stop = threading.Event()

    def read() -> set[str]:
        found = set()
        while not stop.is_set():
            found.add(locate(IN_LONDON).city)
        return found

    with ThreadPoolExecutor(8) as pool:
        readers = [pool.submit(read) for _ in range(8)]
        for turn in range(20):
            write(path, in_city(f"London {turn}"))
        stop.set()

    cities = set[str]().union(*(reader.result() for reader in readers))
    assert cities <= {"London", *(f"London {turn}" for turn in range(20))}
    assert locate(IN_LONDON).city == "London 19"


def test_a_forked_process_reads_although_a_thread_held_the_lock(geoip: SetGeoip, path: Path) -> None:
    write(path, in_city("London"))
    geoip(path)
    locate(IN_LONDON)
    context = multiprocessing.get_context("fork")
    answers = context.Queue()

    with geolocators.database(str(path))._lock:
        geolocators.database(str(path))._recheck_at = 0
        child = context.Process(target=lambda: answers.put(locate(IN_LONDON).city))
        child.start()
        child.join(10)
    child.kill()

    assert child.exitcode == 0
    assert answers.get(timeout=1) == "London"


@pytest.mark.parametrize("value", ["", "country"])
def test_the_check_passes_without_a_file(geoip: SetGeoip, value: str) -> None:
    geoip(value)

    assert check_geoip() == []


def test_the_check_passes_a_database(geoip: SetGeoip, path: Path) -> None:
    write(path, in_city("London"))
    geoip(path)

    assert check_geoip() == []


@pytest.mark.parametrize("content", [None, b"", b"no database", "folder"])
def test_the_check_names_geoip_in_one_line(geoip: SetGeoip, path: Path, content: bytes | str | None) -> None:
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content == "folder":
        path.mkdir()
    geoip(path)

    [error] = check_geoip()

    assert error.id == "authsvc.E030"
    assert error.msg.startswith(f"GEOIP must be `country` or the path of a MaxMind-format file; {path} is not: ")
    assert "\n" not in error.msg
