import json
import logging
import multiprocessing
import os
import stat
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from hypothesis import given
from hypothesis import strategies as st
from joserfc.errors import SecurityWarning
from joserfc.jwk import ECKey, OKPKey, RSAKey
from pytest_django import Settings

from core import watched_file
from core.errors import InvalidAccessToken
from core.keys import jwt
from core.keys import ring as keyring
from core.keys.ring import RefusedChange
from core.keys.ring_file import find_exposure, parse_ring, read_ring
from core.keys.signing_keys import Ring, SigningKey, State
from tests.rows import each

pytestmark = pytest.mark.once

NOW = datetime(2026, 11, 21, 12, 0, 0, 250_000, tzinfo=UTC)
SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
LIFETIME = timedelta(seconds=900)
ACTORS = 8


@pytest.fixture
def ring_file(settings: Settings, tmp_path: Path) -> Path:
    path = tmp_path / "var" / "keys.json"
    settings.AUTH_SERVICE = {"SIGNING_KEYS_FILE": str(path)}
    return path


def states(ring: Ring, now: datetime) -> list[State]:
    return [ring.state_of(key, now=now) for key in ring.keys]


def kids(ring: Ring) -> list[str]:
    return [key.kid for key in ring.keys]


def entries(path: Path) -> list[dict[str, Any]]:
    return list(json.loads(path.read_bytes())["keys"])


def write(path: Path, keys: object) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"keys": keys}))


def race(act: Callable[[], Any]) -> list[Any]:
    """Run all actors at once. Return the result or the exception of each."""
    barrier = threading.Barrier(ACTORS)

    def run(_: int) -> Any:
        barrier.wait()
        try:
            return act()
        except RefusedChange as refused:
            return refused

    with ThreadPoolExecutor(ACTORS) as pool:
        return list(pool.map(run, range(ACTORS)))


def race_of_processes(act: Callable[[], Any]) -> None:
    """Run the given number of processes at once. None may fail."""
    context = multiprocessing.get_context("fork")
    barrier = context.Barrier(ACTORS)

    def run() -> None:
        barrier.wait()
        act()

    processes = [context.Process(target=run) for _ in range(ACTORS)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(30)

    assert [process.exitcode for process in processes] == [0] * ACTORS


def test_the_first_use_creates_a_ring_with_one_active_key_that_only_its_owner_can_read(ring_file: Path) -> None:
    ring = keyring.current_ring(now=NOW)

    assert states(ring, NOW) == [State.ACTIVE]
    assert stat.S_IMODE(ring_file.stat().st_mode) == 0o600
    assert read_ring() == ring
    assert find_exposure() is None
    assert not list(ring_file.parent.glob("*.new"))


def test_the_file_is_a_jwk_set_with_private_members_and_times(ring_file: Path) -> None:
    keyring.ensure_ring(now=NOW)
    keyring.rotate(now=NOW)

    first, second = entries(ring_file)
    assert set(first) == {"kty", "crv", "x", "y", "d", "kid", "use", "alg", "iat", "nbf", "exp"}
    assert set(second) == {"kty", "crv", "x", "y", "d", "kid", "use", "alg", "iat", "nbf"}
    assert first["iat"] == first["nbf"] == second["iat"] == int(NOW.timestamp())
    assert second["nbf"] == second["iat"] + 360
    assert first["exp"] == second["nbf"] + 900 + 300


def test_a_relative_path_is_relative_to_the_base_directory(settings: Settings, tmp_path: Path) -> None:
    settings.BASE_DIR = tmp_path
    settings.AUTH_SERVICE = {"SIGNING_KEYS_FILE": f"var/{tmp_path.name}.json"}

    keyring.ensure_ring(now=NOW)

    assert (tmp_path / "var" / f"{tmp_path.name}.json").exists()


def test_a_relative_path_is_relative_to_the_current_directory_of_a_site_without_a_base(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    del settings.BASE_DIR
    settings.AUTH_SERVICE = {"SIGNING_KEYS_FILE": f"{tmp_path.name}.json"}

    keyring.ensure_ring(now=NOW)

    assert (tmp_path / f"{tmp_path.name}.json").exists()


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620])
def test_a_file_that_others_can_read_causes_a_warning(ring_file: Path, mode: int) -> None:
    keyring.ensure_ring(now=NOW)
    ring_file.chmod(mode)

    warning = find_exposure()

    assert warning is not None
    assert f"mode {mode:o}" in warning


def test_a_missing_file_is_not_exposed(ring_file: Path) -> None:
    assert find_exposure() is None


def test_files_left_by_a_crash_are_removed(ring_file: Path) -> None:
    keyring.ensure_ring(now=NOW)
    leftover = ring_file.with_name("keys.json.new")
    leftover.write_text("half a ri")
    leftover.chmod(0o644)

    keyring.rotate(now=NOW)

    assert not leftover.exists()
    assert stat.S_IMODE(ring_file.stat().st_mode) == 0o600


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_rotation_by_root_keeps_the_owner_of_the_file(ring_file: Path) -> None:
    keyring.ensure_ring(now=NOW)
    os.chown(ring_file, 1234, 1235)

    keyring.rotate(now=NOW)

    assert (ring_file.stat().st_uid, ring_file.stat().st_gid) == (1234, 1235)


def test_an_unwritable_place_is_named(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file, no directory")
    settings.AUTH_SERVICE = {"SIGNING_KEYS_FILE": str(tmp_path / "taken" / "keys.json")}

    with pytest.raises(ImproperlyConfigured, match=r"SIGNING_KEYS_FILE: .*taken/keys.json cannot be written"):
        keyring.ensure_ring(now=NOW)


def test_threads_that_start_together_create_one_ring(ring_file: Path) -> None:
    rings = race(lambda: kids(keyring.current_ring(now=NOW)))

    assert rings == [kids(read_ring())] * ACTORS
    assert len(rings[0]) == 1


def test_processes_that_start_together_create_one_ring(ring_file: Path) -> None:
    def start() -> None:
        keyring.ensure_ring(now=NOW)
        assert kids(keyring.current_ring(now=NOW)) == kids(read_ring())

    race_of_processes(start)

    assert states(read_ring(), NOW) == [State.ACTIVE]


def test_one_of_many_concurrent_rotations_succeeds_and_the_others_are_refused(ring_file: Path) -> None:
    keyring.ensure_ring(now=NOW)

    outcomes = race(lambda: keyring.rotate(now=NOW))

    assert sum(isinstance(outcome, RefusedChange) for outcome in outcomes) == ACTORS - 1
    assert states(read_ring(), NOW) == [State.ACTIVE, State.NEXT]


def test_concurrent_immediate_rotations_lose_no_key(ring_file: Path) -> None:
    keyring.ensure_ring(now=NOW)

    race_of_processes(lambda: keyring.rotate_at_once(now=NOW))

    assert states(read_ring(), NOW) == [State.RETIRED] * ACTORS + [State.ACTIVE]


def test_a_child_forked_during_a_read_of_the_ring_does_not_hang(ring_file: Path) -> None:
    keyring.ensure_ring(now=NOW)
    with keyring._file_named(str(ring_file)).lock:
        process = multiprocessing.get_context("fork").Process(target=lambda: keyring.recheck_ring(now=NOW))
        process.start()
        process.join(30)

    assert process.exitcode == 0


def test_a_key_becomes_next_then_active_then_retired_then_expired_over_time(ring_file: Path) -> None:
    keyring.ensure_ring(now=NOW)

    ring = keyring.rotate(now=NOW)

    start = NOW.replace(microsecond=0)
    assert states(ring, NOW) == [State.ACTIVE, State.NEXT]
    assert states(ring, start + 360 * SECOND - timedelta(microseconds=1)) == [State.ACTIVE, State.NEXT]
    assert states(ring, start + 360 * SECOND) == [State.RETIRED, State.ACTIVE]
    end = start + 360 * SECOND + LIFETIME + 300 * SECOND
    assert states(ring, end - timedelta(microseconds=1)) == [State.RETIRED, State.ACTIVE]
    assert states(ring, end) == [State.EXPIRED, State.ACTIVE]
    assert ring.published_keys(now=end) == ring.keys[1:]


def test_a_rotation_without_a_ring_creates_one_with_an_active_key(ring_file: Path) -> None:
    assert states(keyring.rotate(now=NOW), NOW) == [State.ACTIVE]


def test_a_second_rotation_is_refused_until_the_next_key_signs(ring_file: Path) -> None:
    keyring.ensure_ring(now=NOW)
    ring = keyring.rotate(now=NOW)

    with pytest.raises(
        RefusedChange, match=f"The next key {ring.keys[1].kid} is already published.* 2026-11-21T12:06:00Z"
    ):
        keyring.rotate(now=NOW + 5 * MINUTE)

    assert read_ring() == ring
    assert states(keyring.rotate(now=NOW + 6 * MINUTE), NOW + 6 * MINUTE) == [State.RETIRED, State.ACTIVE, State.NEXT]


def test_an_immediate_rotation_discards_the_next_key(ring_file: Path) -> None:
    keyring.ensure_ring(now=NOW)
    waiting = keyring.rotate(now=NOW).keys[1]

    ring = keyring.rotate_at_once(now=NOW + MINUTE)

    assert states(ring, NOW + MINUTE) == [State.RETIRED, State.ACTIVE]
    assert waiting.kid not in kids(ring)
    assert ring.keys[0].retires_at == ring.keys[1].active_at + LIFETIME + 300 * SECOND


def test_the_later_of_two_immediate_rotations_in_one_second_signs(ring_file: Path) -> None:
    keyring.rotate_at_once(now=NOW)

    ring = keyring.rotate_at_once(now=NOW)

    assert read_ring().active_key(now=NOW).kid == ring.keys[-1].kid
    assert states(read_ring(), NOW) == [State.RETIRED, State.ACTIVE]


def test_a_rotation_removes_expired_keys_from_the_file(ring_file: Path) -> None:
    first = keyring.rotate_at_once(now=NOW).keys[0]
    keyring.rotate_at_once(now=NOW)

    keyring.rotate(now=NOW + 20 * MINUTE - SECOND)
    assert first.kid in kids(read_ring())

    keyring.rotate(now=NOW + 30 * MINUTE)
    assert first.kid not in kids(read_ring())


def test_a_retired_key_can_be_removed(ring_file: Path) -> None:
    old = keyring.rotate_at_once(now=NOW).keys[0]
    ring = keyring.rotate_at_once(now=NOW)

    assert keyring.retire(kid=old.kid, now=NOW) == read_ring()
    assert read_ring().keys == ring.keys[1:]


def test_after_the_removal_of_its_successor_the_active_key_never_retires(ring_file: Path) -> None:
    keyring.ensure_ring(now=NOW)
    waiting = keyring.rotate(now=NOW).keys[1]

    ring = keyring.retire(kid=waiting.kid, now=NOW)

    assert states(ring, NOW + timedelta(days=365)) == [State.ACTIVE]
    assert ring.keys[0].retires_at is None


def test_the_active_key_cannot_be_removed(ring_file: Path) -> None:
    keyring.ensure_ring(now=NOW)
    ring = keyring.rotate(now=NOW)

    with pytest.raises(RefusedChange, match=f"Key {ring.keys[0].kid} is the active key"):
        keyring.retire(kid=ring.keys[0].kid, now=NOW)

    assert read_ring() == ring


def test_an_unknown_key_cannot_be_removed(ring_file: Path) -> None:
    with pytest.raises(RefusedChange, match="There is no key abc"):
        keyring.retire(kid="abc", now=NOW)


def test_the_first_key_signs_even_where_the_clock_is_behind(ring_file: Path) -> None:
    ring = keyring.rotate(now=NOW)

    assert ring.active_key(now=NOW - MINUTE) == ring.keys[0]
    assert ring.published_keys(now=NOW - MINUTE) == ring.keys


def test_new_keys_use_the_configured_algorithm(ring_file: Path, settings: Settings) -> None:
    keyring.ensure_ring(now=NOW)
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "TOKEN_ALGORITHM": "Ed25519"}

    ring = keyring.rotate_at_once(now=NOW)

    assert [key.algorithm for key in ring.keys] == ["ES256", "Ed25519"]


def moments() -> Iterator[datetime]:
    """Yield three hours in strides of 20 seconds, off the full second."""
    for stride in range(540):
        yield NOW + stride * 20 * SECOND


def test_every_token_verifies_for_its_whole_lifetime_during_rotations(ring_file: Path) -> None:
    published_since: dict[str, datetime] = {}
    living: list[tuple[str, datetime]] = []
    signers = []
    keyring.ensure_ring(now=NOW)
    unannounced = {read_ring().keys[0].kid}

    for moment in moments():
        elapsed = int((moment - NOW).total_seconds())
        if elapsed in {600, 1200, 5400, 9000}:
            keyring.rotate(now=moment)
        if elapsed in {1300, 7000, 7020}:
            unannounced.add(keyring.rotate_at_once(now=moment).keys[-1].kid)
        for key in jwt.jwks(now=moment)["keys"]:
            published_since.setdefault(key["kid"], moment)

        signer = keyring.current_ring(now=moment).active_key(now=moment).kid
        living.append((jwt.issue_access_token(user_id="alice", token_id="t", claims={}, now=moment), moment))
        signers.append(signer)

        assert signer in unannounced or moment - published_since[signer] >= 300 * SECOND
        living = [(token, issued) for token, issued in living if moment < issued.replace(microsecond=0) + LIFETIME]
        for token, _ in living:
            assert jwt.verify_access_token(token, now=moment).user_id == "alice"

    assert (
        len(set(signers)) == 7
    )  # the first key, three of the four announced keys (one was discarded), and three immediate keys
    assert len(read_ring().keys) <= 3


def test_a_token_of_a_key_from_another_process_verifies_at_once(ring_file: Path) -> None:
    keyring.ensure_ring(now=NOW)
    keyring.current_ring(now=NOW)
    keyring.rotate_at_once(now=NOW)
    # This process read the file half a second ago, so it would not check the file again yet. Another process signs.
    fresh = keyring._RingFile(ring_file).current(now=NOW).active_key(now=NOW)
    token = signed_by(fresh)

    assert fresh.kid not in kids(keyring.current_ring(now=NOW + SECOND / 2))
    assert jwt.verify_access_token(token, now=NOW + SECOND / 2).user_id == "alice"


def test_tokens_of_a_removed_key_are_refused_within_a_second(ring_file: Path) -> None:
    keyring.ensure_ring(now=NOW)
    old = keyring.current_ring(now=NOW).keys[0]
    token = jwt.issue_access_token(user_id="alice", token_id="t", claims={}, now=NOW)
    jwt.verify_access_token(token, now=NOW)
    keyring.rotate_at_once(now=NOW)

    keyring.retire(kid=old.kid, now=NOW)

    with pytest.raises(InvalidAccessToken):
        jwt.verify_access_token(token, now=NOW + SECOND)


def signed_by(key: SigningKey) -> str:
    payload = {"iss": "http://localhost:8000", "aud": "authsvc", "sub": "alice", "jti": "j"}
    times = {"iat": int(NOW.timestamp()), "nbf": int(NOW.timestamp()), "exp": int(NOW.timestamp()) + 900}
    header = jwt._header(kid=key.kid, algorithm=key.algorithm, type_=jwt.ACCESS_TOKEN_TYPE)
    signed = f"{header}.{jwt._encode(json.dumps(payload | times).encode())}"
    return f"{signed}.{jwt._encode(key.sign(signed.encode()))}"


def count_calls(monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str) -> list[object]:
    calls: list[object] = []
    original = getattr(module, name)

    def counted(*args: object) -> object:
        calls.append(args)
        return original(*args)

    monkeypatch.setattr(module, name, counted)
    return calls


def test_of_many_processes_one_makes_the_key_of_id_tokens(ring_file: Path) -> None:
    keyring.ensure_ring(now=NOW)
    before = read_ring().keys

    found = race(lambda: keyring.ensure_rs256_key(now=NOW).kid)

    ring = read_ring()
    assert {*found} == {key.kid for key in ring.id_token_keys}
    assert (len(ring.id_token_keys), ring.keys) == (1, before)
    assert [entry["alg"] for entry in entries(ring_file)] == ["ES256"]
    assert stat.S_IMODE(ring_file.stat().st_mode) == 0o600
    [key] = ring.id_token_keys
    with pytest.raises(InvalidAccessToken):
        jwt.verify_access_token(signed_by(key), now=NOW)


def test_a_ring_whose_active_key_is_rsa_needs_no_other_for_id_tokens(ring_file: Path, settings: Settings) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, "TOKEN_ALGORITHM": "RS256"}

    key = keyring.ensure_rs256_key(now=NOW)

    assert (read_ring().keys, read_ring().id_token_keys) == ((key,), ())


@pytest.mark.parametrize("fault", ["kid", "alg", "list"])
def test_a_faulty_key_of_id_tokens_makes_the_file_invalid(ring_file: Path, fault: str) -> None:
    keyring.ensure_rs256_key(now=NOW)
    document = json.loads(ring_file.read_bytes())
    match fault:
        case "kid":
            document["id_token_keys"][0]["kid"] = document["keys"][0]["kid"]
        case "alg":
            document["id_token_keys"] = [{**document["keys"][0], "kid": "other"}]
        case _:
            document["id_token_keys"] = {}
    ring_file.write_text(json.dumps(document))

    with pytest.raises(ImproperlyConfigured, match=r"same kid|RS256|no list"):
        read_ring()


def test_the_file_is_checked_once_a_second_and_read_only_after_a_change(
    ring_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyring.ensure_ring(now=NOW)
    looks, readings = count_calls(monkeypatch, watched_file, "_stamp"), count_calls(monkeypatch, keyring, "read_file")

    for tenth in range(50):
        keyring.current_ring(now=NOW + SECOND + tenth * SECOND / 10)

    assert len(looks) == 5
    assert readings == []
    changed = keyring.rotate(now=NOW)
    readings.clear()
    assert keyring.current_ring(now=NOW + 10 * SECOND) == changed
    assert keyring.current_ring(now=NOW + 20 * SECOND) == changed
    assert len(readings) == 1


def test_an_unknown_key_causes_one_check_of_the_file_and_no_read(
    ring_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyring.ensure_ring(now=NOW)
    looks, readings = count_calls(monkeypatch, watched_file, "_stamp"), count_calls(monkeypatch, keyring, "read_file")

    with pytest.raises(InvalidAccessToken):
        jwt.verify_access_token("e30.e30.e30", now=NOW)

    assert len(looks) == 1
    assert readings == []


def test_a_clock_that_was_set_back_prevents_neither_the_checks_nor_a_rotation(ring_file: Path) -> None:
    keyring.ensure_ring(now=NOW)
    keyring.current_ring(now=NOW)
    yesterday = NOW - timedelta(days=1)

    changed = keyring.rotate_at_once(now=yesterday)

    assert keyring.current_ring(now=yesterday) == changed
    assert states(changed, yesterday) == [State.RETIRED, State.ACTIVE]
    assert changed.active_key(now=NOW) == changed.keys[1]


@pytest.mark.parametrize("damage", [b"", b"{", b'{"keys": []}', b"\xff\xfe"])
def test_a_valid_ring_stays_in_use_when_the_file_is_damaged_later(
    ring_file: Path, damage: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    keyring.ensure_ring(now=NOW)
    good = keyring.current_ring(now=NOW)
    content = ring_file.read_bytes()
    secret = entries(ring_file)[0]["d"]

    ring_file.write_bytes(damage)
    with caplog.at_level(logging.WARNING, "authsvc.keyring"):
        assert [keyring.current_ring(now=NOW + tick * SECOND) for tick in (1, 2, 3)] == [good] * 3

    (line,) = caplog.records
    assert line.message == "the changed signing keys cannot be used, the last ones stay in use"
    reason = vars(line)["reason"]
    assert "SIGNING_KEYS_FILE" in reason
    assert secret not in reason
    ring_file.write_bytes(content)
    changed = keyring.rotate(now=NOW)
    assert keyring.current_ring(now=NOW + 4 * SECOND) == changed


def test_a_valid_ring_stays_in_use_when_the_file_is_deleted_and_no_new_ring_is_created(
    ring_file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    keyring.ensure_ring(now=NOW)
    good = keyring.current_ring(now=NOW)

    ring_file.unlink()

    assert keyring.current_ring(now=NOW + SECOND) is good
    assert keyring.current_ring(now=NOW + 2 * SECOND) is good
    assert not ring_file.exists()
    assert len(caplog.records) == 1


def test_a_plain_jwk_set_of_another_origin_is_a_valid_ring(ring_file: Path) -> None:
    own = ECKey.generate_key("P-256").as_dict(private=True)
    write(ring_file, [{**own, "kid": "-mine/2", "alg": "ES256", "key_ops": ["sign"], "x5c": ["AAAA"], "note": "mine"}])

    token = jwt.issue_access_token(user_id="alice", token_id="t", claims={}, now=NOW)

    assert jwt.verify_access_token(token, now=NOW).user_id == "alice"
    (published,) = jwt.jwks(now=NOW)["keys"]
    assert set(published) == {"kty", "crv", "x", "y", "kid", "use", "alg"}
    assert states(keyring.rotate(now=NOW), NOW) == [State.ACTIVE, State.NEXT]


def es256(**members: Any) -> dict[str, Any]:
    entry = {**ECKey.generate_key("P-256").as_dict(private=True), "kid": "a", "alg": "ES256", **members}
    return {name: value for name, value in entry.items() if value is not None}


@each(
    "keys, reason",
    [
        ({}, "the file contains no keys"),
        ([], "the file contains no keys"),
        (["a"], "key 1 needs a kid, and an alg that is one of ES256, Ed25519, RS256"),
        ([es256(kid=None)], "key 1 needs a kid"),
        ([es256(kid="")], "key 1 needs a kid"),
        ([es256(), es256(kid=7)], "key 2 needs a kid"),
        ([es256(alg=None)], "key 1 needs a kid, and an alg"),
        ([es256(alg="HS256")], "key 1 needs a kid, and an alg"),
        ([es256(alg="none")], "key 1 needs a kid, and an alg"),
        ([es256(alg="RS256")], "key a is not a private RS256 key"),
        ([es256(alg="Ed25519")], "key a is not a private Ed25519 key"),
        ([es256(kty="oct", k="AAAA")], "key a is not a private ES256 key"),
        ([es256(d=None)], "key a is not a private ES256 key"),
        ([es256(d="AAAA")], "key a is not a private ES256 key"),
        ([es256(d=5)], "key a is not a private ES256 key"),
        ([es256(crv="P-999")], "key a is not a private ES256 key"),
        ([es256(**ECKey.generate_key("P-384").as_dict(private=True))], "key a is not a private ES256 key"),
        ([{**OKPKey.generate_key("X25519").as_dict(private=True), "kid": "a", "alg": "Ed25519"}], "key a is not"),
        ([es256(nbf="1")], "whole seconds in iat, nbf and exp"),
        ([es256(nbf=1.5)], "whole seconds in iat, nbf and exp"),
        ([es256(iat=True)], "whole seconds in iat, nbf and exp"),
        ([es256(nbf=10**17)], "whole seconds in iat, nbf and exp"),
        ([es256(), es256()], "two keys have the same kid"),
        ([es256(exp=2_000_000_000)], "key a has an exp, but it is the last key"),
    ],
)
def test_an_unusable_file_stops_the_start_with_one_line_that_states_the_reason(
    ring_file: Path, keys: object, reason: str
) -> None:
    write(ring_file, keys)

    with pytest.raises(ImproperlyConfigured) as stop:
        keyring.ensure_ring(now=NOW)

    assert str(stop.value).startswith(f"SIGNING_KEYS_FILE: {ring_file} is not a valid set of signing keys: ")
    assert reason in str(stop.value)
    assert stop.value.__cause__ is None


@pytest.mark.filterwarnings(f"ignore::{SecurityWarning.__module__}.{SecurityWarning.__name__}")
def test_an_rsa_key_that_is_too_short_stops_the_start(ring_file: Path) -> None:
    write(ring_file, [{**RSAKey.generate_key(1024).as_dict(private=True), "kid": "a", "alg": "RS256"}])

    with pytest.raises(ImproperlyConfigured, match="key a is not a private RS256 key"):
        keyring.ensure_ring(now=NOW)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
GOOD = es256(iat=1, nbf=1)


def refusal_of(entry: dict[str, Any]) -> str | None:
    try:
        parse_ring(json.dumps({"keys": [entry]}).encode())
    except ValueError as refusal:
        return str(refusal)
    return None


@given(st.dictionaries(st.sampled_from([*GOOD, "exp", "use"]), JSON, min_size=1, max_size=3))
def test_any_key_is_either_read_or_refused_with_a_message(changes: dict[str, Any]) -> None:
    refusal = refusal_of({**GOOD, **changes})

    assert refusal != ""
    assert GOOD["d"] not in (refusal or "")


def test_a_printed_key_shows_no_secret(ring_file: Path) -> None:
    keyring.ensure_ring(now=NOW)

    assert entries(ring_file)[0]["d"] not in repr(read_ring())
