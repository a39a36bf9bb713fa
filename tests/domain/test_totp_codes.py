"""TOTP codes match the vectors of the RFC and an independent program."""

import base64
import random
import shutil
import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from mfa.totp.codes import matching_steps
from tests.rows import each
from tests.second_factors import STEP_SECONDS, App

# RFC 6238, appendix B, for SHA-1. The RFC shows eight digits; the service uses the last six.
pytestmark = pytest.mark.once

VECTORS = [
    (59, "94287082"),
    (1111111109, "07081804"),
    (1111111111, "14050471"),
    (1234567890, "89005924"),
    (2000000000, "69279037"),
    (20000000000, "65353130"),
]
SECRET = base64.b32encode(b"12345678901234567890").decode()
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

OATHTOOL = shutil.which("oathtool")


def moment(seconds: int) -> datetime:
    return EPOCH + timedelta(seconds=seconds)


@each("seconds, code", VECTORS)
def test_codes_match_the_vectors_of_the_rfc(seconds: int, code: str) -> None:
    assert list(matching_steps(SECRET, code[2:], now=moment(seconds))) == [seconds // STEP_SECONDS]
    assert App(SECRET).code(at=moment(seconds)) == code[2:]


@pytest.mark.skipif(OATHTOOL is None, reason="oathtool is not installed (Debian: apt install oathtool)")
@each("seed", range(20))
def test_codes_match_oathtool(seed: int) -> None:
    chance = random.Random(seed)
    secret = base64.b32encode(chance.randbytes(20)).decode()
    # The times reach the year 2100, with any second of a step, and with fifty consecutive steps.
    start = chance.randrange(4_102_444_800)

    command = [str(OATHTOOL), "--totp", "--base32", "--window=49", f"--now={moment(start):%Y-%m-%d %H:%M:%S} UTC"]
    done = subprocess.run([*command, "-"], input=secret, capture_output=True, text=True, check=True)

    theirs = done.stdout.split()
    assert len(theirs) == 50
    for number, code in enumerate(theirs):
        now = moment(start) + timedelta(seconds=number * STEP_SECONDS)
        assert start // STEP_SECONDS + number in list(matching_steps(secret, code, now=now))
        assert App(secret).code(at=now) == code
