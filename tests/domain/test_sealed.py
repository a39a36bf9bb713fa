import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from core.keys.sealing import (
    Unsealable,
    derived_keys,
    seal,
    unseal,
)

OLD, NEW, FOREIGN = (bytes([number]) * 32 for number in range(3))
HERE = "mail 1"


@given(plaintext=st.binary(max_size=300), context=st.text(max_size=40))
def test_a_sealed_value_opens(plaintext: bytes, context: str) -> None:
    sealed = seal(plaintext, keys=[NEW], context=context)

    assert unseal(sealed, keys=[NEW], context=context) == plaintext


def test_a_sealed_value_read_from_postgresql_opens() -> None:
    assert unseal(memoryview(seal(b"secret", keys=[NEW], context=HERE)), keys=[NEW], context=HERE) == b"secret"


def test_two_sealed_values_are_never_equal_and_never_show_their_content() -> None:
    boxes = {seal(b"secret", keys=[NEW], context=HERE) for _ in range(10)}

    assert len(boxes) == 10
    assert not [box for box in boxes if b"secret" in box]


def test_the_first_key_seals_and_every_key_opens() -> None:
    before = seal(b"secret", keys=[OLD], context=HERE)
    after = seal(b"secret", keys=[NEW, OLD], context=HERE)

    assert unseal(before, keys=[NEW, OLD], context=HERE) == b"secret"
    assert unseal(after, keys=[NEW], context=HERE) == b"secret"
    with pytest.raises(Unsealable):
        unseal(after, keys=[OLD], context=HERE)


@pytest.mark.parametrize("keys", [[FOREIGN], [FOREIGN, OLD], []])
def test_a_ring_without_the_key_does_not_open_the_value(keys: list[bytes]) -> None:
    sealed = seal(b"secret", keys=[NEW], context=HERE)

    with pytest.raises(Unsealable):
        unseal(sealed, keys=keys, context=HERE)


def test_the_value_of_another_row_does_not_open() -> None:
    sealed = seal(b"secret", keys=[NEW], context=HERE)

    with pytest.raises(Unsealable):
        unseal(sealed, keys=[NEW], context="mail 2")


def test_a_changed_bit_is_detected() -> None:
    sealed = seal(b"secret", keys=[NEW], context=HERE)

    for place in range(len(sealed) * 8):
        damaged = bytearray(sealed)
        damaged[place // 8] ^= 1 << place % 8
        with pytest.raises(Unsealable):
            unseal(bytes(damaged), keys=[NEW], context=HERE)


def test_a_truncated_value_is_detected() -> None:
    sealed = seal(b"secret", keys=[NEW], context=HERE)

    for length in range(len(sealed)):
        with pytest.raises(Unsealable):
            unseal(sealed[:length], keys=[NEW], context=HERE)


def test_keys_for_two_purposes_are_independent(settings: Settings) -> None:
    settings.SECRET_KEY = "a" * 50

    (mail,), (console,) = derived_keys(purpose="mail"), derived_keys(purpose="console")

    assert mail != console
    assert len(mail) == len(console) == 32
    assert derived_keys(purpose="mail") == (mail,)


def test_a_value_sealed_under_a_fallback_secret_key_opens(settings: Settings) -> None:
    settings.SECRET_KEY = "a" * 50
    sealed = seal(b"secret", keys=derived_keys(purpose="mail"), context=HERE)

    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "b" * 50, ["a" * 50]
    assert unseal(sealed, keys=derived_keys(purpose="mail"), context=HERE) == b"secret"

    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(Unsealable):
        unseal(sealed, keys=derived_keys(purpose="mail"), context=HERE)
