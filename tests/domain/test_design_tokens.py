"""The design tokens, and the tones of a brand's colour."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.http.tokens import TOKENS_FILE, tokens, tones
from mail.branding import READABLE, brand_rule, contrast, link_tone

GROUNDS = ("ground", "surface", "sunken")
MODES = ("light", "dark")


@pytest.mark.parametrize("mode", MODES)
def test_each_text_is_readable_on_each_ground(mode: str) -> None:
    colour = {name: getattr(tone, mode) for name, tone in tones().items()}
    pairs = [(text, ground) for text in ("text", "faint", "link", "good", "warn", "bad") for ground in GROUNDS]
    pairs += [("on-accent", "accent"), ("link", "wash"), ("text", "wash")]
    pairs += [(tone, f"{tone}-wash") for tone in ("good", "warn", "bad")]
    pairs += [("text", f"{tone}-wash") for tone in ("good", "warn", "bad")]

    assert [pair for pair in pairs if contrast(colour[pair[0]], colour[pair[1]]) < READABLE] == []


@pytest.mark.parametrize("mode", MODES)
def test_the_edge_of_a_field_is_visible(mode: str) -> None:
    for ground in ("ground", "surface"):
        assert contrast(getattr(tones()["edge"], mode), getattr(tones()[ground], mode)) >= 3


@given(st.integers(0, 0xFFFFFF))
def test_a_link_in_the_tone_of_any_brand_is_readable(number: int) -> None:
    tone = link_tone(f"#{number:06x}")

    for mode in MODES:
        assert all(contrast(getattr(tone, mode), getattr(tones()[ground], mode)) >= READABLE for ground in GROUNDS)


def test_a_browser_without_two_modes_gets_the_light_colours() -> None:
    plain, _, both = tokens().partition("@supports")

    assert "light-dark(" not in plain.partition(":root {")[2]
    assert "color-scheme: light;" in plain
    assert re.findall(r"--[\w-]+:", plain) == re.findall(r"--[\w-]+:", both)


def test_a_deployment_without_a_colour_has_the_tokens_alone() -> None:
    assert brand_rule() == ""
    assert len(tones()) == len(re.findall(r"#[0-9a-f]{6}[^;]*;", TOKENS_FILE.read_text()))
