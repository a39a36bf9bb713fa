"""The rules for a new password."""

from time import process_time

import hypothesis
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from accounts.conf import PASSWORD_CLASSES
from accounts.errors import PasswordPolicyViolation
from accounts.passwords.rules import broken_rules, find_broken_rules, normalize
from tests.patience import is_soon
from tests.rows import each


@each(
    "password, broken",
    [
        ("", ("min_length",)),
        ("1234567", ("min_length",)),
        ("12345678", ()),
        ("x" * 256, ()),
        ("x" * 257, ("max_length",)),
        ("🦊" * 8, ()),
        ("🦊" * 256, ()),
        ("🦊" * 7, ("min_length",)),
    ],
)
def test_length_counts_characters(password: str, broken: tuple[str, ...]) -> None:
    assert broken_rules(password=password, email="alice@example.com", min_length=8, require=()) == broken


@each(
    "password, broken",
    [
        ("e\u0301" * 7, ("min_length",)),  # fourteen characters as given, seven in composed form
        ("\u1f80\u0300" * 129, ()),
        ("\N{LATIN SMALL LIGATURE FFI}" * 3, ()),  # three characters as given, nine in decomposed form
        ("\N{LATIN SMALL LIGATURE FFI}" * 86, ("max_length",)),
        ("\u03b1\u0313\u0300\u0345" * 256, ()),  # Four of these become one character: the longest valid input.
        ("\u03b1\u0313\u0300\u0345" * 256 + "\u03b1", ("max_length",)),
    ],
)
def test_length_counts_the_normalized_form(password: str, broken: tuple[str, ...]) -> None:
    assert broken_rules(password=password, email="", min_length=8, require=()) == broken


@each(
    "word, code, without, holding",
    [
        ("uppercase", "require_uppercase", "straße 1!", "Straße 1!"),
        ("uppercase", "require_uppercase", "straße 1!", "straße 1 \N{FULLWIDTH LATIN CAPITAL LETTER A}"),
        ("lowercase", "require_lowercase", "STRASSE 1", "STRASSe 1"),
        ("digit", "require_digit", "no number", "numb3r"),
        ("digit", "require_digit", "no number", "number \N{ARABIC-INDIC DIGIT THREE}"),
        ("digit", "require_digit", "no number", "number\N{SUPERSCRIPT TWO}"),
        ("symbol", "require_symbol", "plain words 1", "plain-words"),
        ("symbol", "require_symbol", "हिन्दी शब्द", "plain€words"),
        ("symbol", "require_symbol", "plain words 1", "🦊"),
    ],
)
def test_a_character_class_is_required_only_when_configured(word: str, code: str, without: str, holding: str) -> None:
    assert broken_rules(password=without, email="", min_length=1, require=[word]) == (code,)
    assert broken_rules(password=holding, email="", min_length=1, require=[word]) == ()
    assert broken_rules(password=without, email="", min_length=1, require=()) == ()


@each(
    "email, password, broken",
    [
        ("alice@example.com", "my name is alice", ("contains_email",)),
        ("Alice@example.com", "ALICE in chains", ("contains_email",)),
        ("alice@example.com", "\N{FULLWIDTH LATIN SMALL LETTER A}lice in chains", ("contains_email",)),
        ("STRASSE@example.com", "die straße", ("contains_email",)),
        ("alice@example.com", "example.com", ()),
        ("bob@example.com", "bob the builder", ()),
        ("alice@example.com", "alic in chains", ()),
    ],
)
def test_a_password_may_be_forbidden_to_contain_the_address(email: str, password: str, broken: tuple[str, ...]) -> None:
    assert broken_rules(password=password, email=email, min_length=1, require=["not_email"]) == broken
    assert broken_rules(password=password, email=email, min_length=1, require=()) == ()


def test_all_broken_rules_are_reported_together(settings: Settings) -> None:
    settings.AUTH_SERVICE = {"PASSWORD_MIN_LENGTH": "12", "PASSWORD_REQUIRE": ",".join(PASSWORD_CLASSES)}

    short = find_broken_rules(password="  ", email="alice@example.com")
    long = find_broken_rules(password="alice" * 52, email="alice@example.com")

    assert short == ("min_length", "require_uppercase", "require_lowercase", "require_digit", "require_symbol")
    assert long == ("max_length", "require_uppercase", "require_digit", "require_symbol", "contains_email")


def test_by_default_only_the_length_is_required(settings: Settings) -> None:
    settings.AUTH_SERVICE = {}

    assert find_broken_rules(password="alicealice", email="alice@example.com") == ()
    assert find_broken_rules(password="alice", email="alice@example.com") == ("min_length",)


def test_the_error_lists_the_codes_in_details() -> None:
    assert PasswordPolicyViolation(details=["min_length"]).body() == {
        "code": "password_policy_violation",
        "message": "The password breaks the rules that `details` lists. Choose a password that meets them.",
        "details": ["min_length"],
    }


@hypothesis.settings(max_examples=50)
@given(password=st.text(max_size=1500))
def test_an_input_that_is_too_long_stays_too_long_in_every_normalized_form(password: str) -> None:
    assert normalize(normalize(password)) == normalize(password)
    if len(password) > 1024:
        assert broken_rules(password=password, email="", min_length=1, require=()) == ("max_length",)


def test_every_password_is_normalized_quickly() -> None:
    hostile = "a" + "\u0301\u0323" * 16_000

    before = process_time()
    broken_rules(password=hostile, email="alice@example.com", min_length=8, require=PASSWORD_CLASSES)

    assert is_soon(process_time() - before, limit=0.2)
