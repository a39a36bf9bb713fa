import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from accounts.core.keys.sealing import (
    Unsealable,
    derived_keys,
    seal,
    unseal,
)

OLD, NEW, FOREIGN = (bytes([number]) * 32 for number in range(3))
HERE = "mail 1"


@given(plaintext=st.binary(max_size=300), context=st.text(max_size=40))
def test_what_was_sealed_opens(plaintext: bytes, context: str) -> None:
    sealed = seal(plaintext, keys=[NEW], context=context)

    assert unseal(sealed, keys=[NEW], context=context) == plaintext


def test_a_column_of_postgresql_opens_as_it_comes() -> None:
    assert unseal(memoryview(seal(b"secret", keys=[NEW], context=HERE)), keys=[NEW], context=HERE) == b"secret"


def test_no_two_boxes_look_alike_and_none_shows_what_it_holds() -> None:
    boxes = {seal(b"secret", keys=[NEW], context=HERE) for _ in range(10)}

    assert len(boxes) == 10
    assert not [box for box in boxes if b"secret" in box]


def test_the_first_key_seals_and_all_open() -> None:
    before = seal(b"secret", keys=[OLD], context=HERE)
    after = seal(b"secret", keys=[NEW, OLD], context=HERE)

    assert unseal(before, keys=[NEW, OLD], context=HERE) == b"secret"
    assert unseal(after, keys=[NEW], context=HERE) == b"secret"
    with pytest.raises(Unsealable):
        unseal(after, keys=[OLD], context=HERE)


@pytest.mark.parametrize("keys", [[FOREIGN], [FOREIGN, OLD], []])
def test_a_ring_without_the_key_does_not_open(keys: list[bytes]) -> None:
    sealed = seal(b"secret", keys=[NEW], context=HERE)

    with pytest.raises(Unsealable):
        unseal(sealed, keys=keys, context=HERE)


def test_the_value_of_another_row_does_not_open() -> None:
    sealed = seal(b"secret", keys=[NEW], context=HERE)

    with pytest.raises(Unsealable):
        unseal(sealed, keys=[NEW], context="mail 2")


def test_a_change_of_any_bit_is_noticed() -> None:
    sealed = seal(b"secret", keys=[NEW], context=HERE)

    for place in range(len(sealed) * 8):
        damaged = bytearray(sealed)
        damaged[place // 8] ^= 1 << place % 8
        with pytest.raises(Unsealable):
            unseal(bytes(damaged), keys=[NEW], context=HERE)


def test_a_value_that_was_cut_is_noticed() -> None:
    sealed = seal(b"secret", keys=[NEW], context=HERE)

    for length in range(len(sealed)):
        with pytest.raises(Unsealable):
            unseal(sealed[:length], keys=[NEW], context=HERE)


def test_keys_for_two_purposes_have_nothing_in_common(settings: Settings) -> None:
    settings.SECRET_KEY = "a" * 50

    (mail,), (console,) = derived_keys(purpose="mail"), derived_keys(purpose="console")

    assert mail != console
    assert len(mail) == len(console) == 32
    assert derived_keys(purpose="mail") == (mail,)


def test_what_an_earlier_secret_key_sealed_opens_while_it_is_a_fallback(settings: Settings) -> None:
    settings.SECRET_KEY = "a" * 50
    sealed = seal(b"secret", keys=derived_keys(purpose="mail"), context=HERE)

    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "b" * 50, ["a" * 50]
    assert unseal(sealed, keys=derived_keys(purpose="mail"), context=HERE) == b"secret"

    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(Unsealable):
        unseal(sealed, keys=derived_keys(purpose="mail"), context=HERE)
