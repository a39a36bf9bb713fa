"""The texts of the mails. The tests need neither a database nor a server."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext_lazy
from pytest_django import Settings

from core.db.deployment import is_embedded
from core.http.client import Client
from mail import compose
from mail.compose import NEEDED_VALUES, MailTemplate, MailValue, render
from mail.languages import LANGUAGES, choose_language
from mail.transports import Letter
from tests.rows import each

NOW = datetime(2026, 11, 21, 3, 44, 29, tzinfo=UTC)
TOKEN = "Tok-en_" * 6 + "T"
CLIENT = Client(ip="203.0.113.7", user_agent="Mozilla/5.0")
VALUES: dict[str, MailValue] = {
    "provider": "acme",
    "token": TOKEN,
    "code": "042917",
    "email": "alice@example.com",
    "new_email": "alice@example.net",
    "holdings": ["Session: Chrome on macOS", "Passkey: Work"],
    "factor": "Passkey Work",
    "remaining": "7",
    "locked_until": NOW + timedelta(hours=1),
    "locks": "20",
    "key": "nightly report, ak_7hQ2mZ4x",
    "requested_at": NOW,
    "ready_at": NOW + timedelta(days=3),
    "act": "All your sessions were ended.",
    "kind": "attack",
}
SHOWN = {
    "email": ["alice (at) example (dot) com"],
    "new_email": ["alice (at) example (dot) net"],
    "holdings": ["- Session: Chrome on macOS\n- Passkey: Work\n"],
    "locked_until": ["21 November 2026, 04:44 UTC"],
    "requested_at": ["21 November 2026, 03:44 UTC"],
    "ready_at": ["24 November 2026, 03:44 UTC"],
}
"""The values that a mail shows in another form."""

WITH_LINK = [
    MailTemplate.MAGIC_LINK,
    MailTemplate.EMAIL_CHANGE,
    MailTemplate.EMAIL_CHANGED_NOTICE,
    MailTemplate.EMAIL_VERIFY,
    MailTemplate.PASSWORD_RESET,
    MailTemplate.RECOVERY_CANCEL,
    MailTemplate.RECOVERY_COMPLETE,
    MailTemplate.INVITATION,
    MailTemplate.RESET_DEMANDED,
    MailTemplate.OPERATOR_ACT_PLANNED,
]

WITH_PAGE = [mail for mail in WITH_LINK if mail is not MailTemplate.OPERATOR_ACT_PLANNED or not is_embedded()]
"""The mails whose link leads to a page of this deployment. Only a console plans acts of operators."""

OWN_PAGES = {
    MailTemplate.EMAIL_VERIFY: "verify-email",
    MailTemplate.EMAIL_CHANGED_NOTICE: "email-undo",
    MailTemplate.RESET_DEMANDED: "password-reset",
    MailTemplate.OPERATOR_ACT_PLANNED: "stop-act",
}
"""The pages that are not named after their mail."""


@pytest.fixture(autouse=True)
def _deployment(settings: Settings) -> None:
    settings.AUTH_SERVICE = {"BASE_URL": "https://auth.example.com", "EMAIL_URL": "console://"}


@pytest.fixture
def place() -> Iterator[None]:
    """Describe the place of each client by `_describe` alone."""
    before = list(compose.client_describers)
    compose.client_describers.register(_describe)
    for describer in before:
        compose.client_describers.unregister(describer)
    yield
    for describer in before:
        compose.client_describers.register(describer)
    compose.client_describers.unregister(_describe)


def _describe(client: Client) -> dict[str, str]:
    return {"device": f"Chrome on {client.user_agent}", "place": "Berlin, DE"}


def written(
    template: MailTemplate, *, client: Client = CLIENT, language: str = "en", lifetime: int = 15, **values: MailValue
) -> Letter:
    return render(
        template=template,
        to="alice@example.com",
        values={**VALUES, **values},
        client=client,
        now=NOW,
        expires_at=NOW + timedelta(minutes=lifetime) if template in WITH_LINK else None,
        language=language,
    )


def test_a_magic_link_mail_states_account_act_time_place_lifetime_and_advice(place: None) -> None:
    letter = written(MailTemplate.MAGIC_LINK, client=Client(ip="203.0.113.7", user_agent="macOS"))

    assert letter.to == "alice@example.com"
    assert letter.token == TOKEN
    assert letter.written_at == NOW
    assert letter.subject == "Your link to sign in to auth.example.com"
    assert letter.text == (
        "A link to sign in to auth.example.com with this address was requested.\n"
        "\n"
        "Sign in:\n"
        f"https://auth.example.com/mail/magic-link#token={TOKEN}\n"
        "\n"
        "The link works once and for 15 minutes, until 21 November 2026, 03:59 UTC.\n"
        "\n"
        "To sign in on another device, enter this code there instead: 042917\n"
        "\n"
        "When: 21 November 2026, 03:44 UTC\n"
        "Device: Chrome on macOS\n"
        "Place: Berlin, DE\n"
        "IP address: 203.0.113.7\n"
        "\n"
        "If it was not you, ignore this mail: without the link or the code no one can sign in. Do not pass them on.\n"
        "\n"
        "This is an automatic message of https://auth.example.com.\n"
    )


@each("template", MailTemplate)
def test_every_mail_states_time_place_and_advice_for_an_unexpected_mail(template: MailTemplate, place: None) -> None:
    letter = written(template)

    assert "auth.example.com" in letter.subject
    for part in (letter.text, letter.html):
        assert "When: 21 November 2026, 03:44 UTC" in part
        assert "IP address: 203.0.113.7" in part
        assert "Place: Berlin, DE" in part
        assert re.search(
            "If (it was not you|any of this is not yours|you do not expect this invitation|you did not (expect|ask for) this), ",
            part,
        )
        assert not re.search(r"\{\{|\{%|\n\n\n", part.strip())


@each("template", MailTemplate)
def test_an_unknown_client_leaves_no_empty_lines(template: MailTemplate) -> None:
    letter = written(template, client=Client(ip="", user_agent=""))

    assert "When: 21 November 2026, 03:44 UTC\n\n" in letter.text
    assert not re.search("Device|Place|IP address", letter.text)


@each("template", MailTemplate)
def test_the_html_repeats_the_text_and_loads_nothing(template: MailTemplate) -> None:
    letter = written(template)

    body = re.sub(r"<[^>]+>", " ", letter.html.partition("</h1>")[2]).replace("&#x27;", "'")
    text = re.sub(
        "(Sign in|Confirm the address|Set a new password|Stop the recovery|Recover the account|Undo the change|Accept the invitation|Stop this):\n",
        r"\1 ",
        letter.text,
    )
    assert body.split() == text.split()
    assert not re.search(r"\bsrc=|url\(|<link|<script|<style|<img|@import", letter.html)


@each("template", MailTemplate)
def test_only_a_mail_with_a_token_has_a_link(template: MailTemplate) -> None:
    letter = written(template)

    assert ("<a " in letter.html) == (TOKEN in letter.text) == (template in WITH_LINK)


@each("template, name", [(template, name) for template in NEEDED_VALUES for name in NEEDED_VALUES[template]])
def test_a_value_that_a_mail_needs_appears_in_it_and_is_required(template: MailTemplate, name: str) -> None:
    for line in SHOWN.get(name, [VALUES[name]]):
        assert str(line) in written(template).text

    with pytest.raises(KeyError, match=name):
        render(
            template=template,
            to="alice@example.com",
            values={key: value for key, value in VALUES.items() if key != name},
            client=CLIENT,
            now=NOW,
            expires_at=None,
            language="en",
        )


def test_a_notice_of_a_changed_address_without_a_token_has_no_link() -> None:
    letter = written(MailTemplate.EMAIL_CHANGED_NOTICE, token="")

    assert "<a " not in letter.html
    assert "tell the people who run auth.example.com at once" in letter.text


def test_a_first_proof_of_an_empty_account_states_that_the_account_is_empty() -> None:
    assert "no sessions, second factors or keys" in written(MailTemplate.FIRST_PROOF, holdings=[]).text


@each("template", WITH_PAGE)
@each(
    "url, link",
    [
        ("", "https://auth.example.com{path}#token={token}"),
        ("https://app.example.com/in", "https://app.example.com/in?token={token}"),
        ("https://app.example.com/in?", "https://app.example.com/in?token={token}"),
        ("https://app.example.com", "https://app.example.com?token={token}"),
        ("https://app.example.com/in?a=b&c=%20d", "https://app.example.com/in?a=b&c=%20d&token={token}"),
    ],
)
def test_the_link_uses_the_address_of_the_deployment(
    settings: Settings, template: MailTemplate, url: str, link: str
) -> None:
    page = OWN_PAGES.get(template, template.replace("_", "-"))
    name = "EMAIL_VERIFY" if template is MailTemplate.EMAIL_VERIFY else page.replace("-", "_").upper()
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, f"{name}_URL": url}

    letter = written(template)

    expected = link.format(path=reverse(f"authsvc-page-{page}"), token=TOKEN)
    assert f"\n{expected}\n" in letter.text
    assert f'href="{expected.replace("&", "&amp;")}"' in letter.html


@pytest.mark.parametrize(
    ("lifetime", "words"), [(1, "1 minute"), (15, "15 minutes"), (60, "1 hour"), (90, "1 hour, 30 minutes")]
)
def test_a_link_states_its_lifetime(lifetime: int, words: str) -> None:
    assert f"works once and for {words}, until" in written(MailTemplate.MAGIC_LINK, lifetime=lifetime).text


@pytest.mark.parametrize("autoescape", [True, False])
def test_text_chosen_by_other_people_is_not_markup(settings: Settings, autoescape: bool) -> None:
    (templates,) = settings.TEMPLATES
    options = {**templates.get("OPTIONS", {}), "autoescape": autoescape}
    settings.TEMPLATES = [{**templates, "OPTIONS": options}]

    letter = written(MailTemplate.FACTOR_ADDED, factor="""<img src=x onerror="a()">'&amp;""")

    assert """<img src=x onerror="a()">'&amp;""" in letter.text
    assert "&lt;img src=x onerror=&quot;a()&quot;&gt;&#x27;&amp;amp;" in letter.html


@each(
    "hostile, harmless",
    [
        ("Work\r\n\r\nYour account is locked, call 555", "Work Your account is locked, call 555"),
        ("Work\u2028\u2029\x00\x1b[2J\u202eevil", "Work [2J evil"),
        ("see https://evil.example/in now", "see https evil example/in now"),
        ("www.evil.example", "www evil example"),
        ("evil\u3002example", "evil example"),
        ("evil\u2024example", "evil example"),
        ("203.0.113.9/in or 203\uff0e0\uff0e113\uff0e9", "203 0 113 9/in or 203 0 113 9"),
        ("pay@1and1", "pay 1and1"),
        ("eve@evil.example", "eve evil example"),
        ("{{ token }}{% now 'Y' %}", "{{ token }}{% now 'Y' %}"),
        ("iPhone 15.2, since 03:44", "iPhone 15.2, since 03:44"),
        ("x" * 1000, "x" * 200),
    ],
)
def test_text_chosen_by_other_people_is_one_line_without_a_link(hostile: str, harmless: str) -> None:
    text = written(MailTemplate.FACTOR_ADDED, factor=hostile).text

    assert f"A second factor was added to your account at auth.example.com: {harmless}. From now" in text


@each(
    "hostile, harmless",
    [
        ("evil.example/pay@x.example", "evil (dot) example/pay (at) x (dot) example"),
        ("www.evil.example/?id=1&a=b@x.example", "www (dot) evil (dot) example/?id=1&a=b (at) x (dot) example"),
        ("203.0.113.9/in@1and1.example", "203 (dot) 0 (dot) 113 (dot) 9/in (at) 1and1 (dot) example"),
        ("evil\u3002example\uff20x\u2024example", "evil (dot) example (at) x (dot) example"),
    ],
)
@each(
    "template, name",
    [(template, name) for template in NEEDED_VALUES for name in NEEDED_VALUES[template] if "email" in name],
)
def test_an_address_chosen_by_other_people_is_no_link(
    template: MailTemplate, name: str, hostile: str, harmless: str
) -> None:
    changed: dict[str, Any] = {name: hostile}

    letter = written(template, **changed)

    assert harmless in letter.text
    assert harmless.replace("&", "&amp;") in letter.html
    assert hostile not in letter.subject + letter.text + letter.html
    assert "@" not in letter.text


def test_a_line_of_the_holdings_contains_no_link() -> None:
    text = written(MailTemplate.FIRST_PROOF, holdings=["Passkey: go to evil.example", "Key:\nb"]).text

    assert "\n- Passkey: go to evil example\n- Key: b\n" in text


def test_the_description_of_the_client_contains_no_link(place: None) -> None:
    letter = written(MailTemplate.PASSWORD_CHANGED, client=Client(ip="203.0.113.7", user_agent="http://evil.example"))

    assert "Device: Chrome on http evil example\n" in letter.text


def test_times_are_in_utc_in_every_time_zone_of_the_site(settings: Settings) -> None:
    settings.TIME_ZONE = "Asia/Kathmandu"

    assert "When: 21 November 2026, 03:44 UTC" in written(MailTemplate.MAGIC_LINK).text


@each("language", LANGUAGES)
@each("template", MailTemplate)
def test_a_mail_is_complete_in_each_language(template: MailTemplate, language: str, place: None) -> None:
    letter = written(template, language=language)

    assert f'<html lang="{language}" dir="ltr">' in letter.html
    for part in (letter.subject, letter.text, letter.html):
        assert not re.search(r"%\(|%%|\{\w+\}|\{\{|\{%", part)
    english = written(template)
    assert (letter.subject == english.subject) == (letter.text == english.text) == (language == "en")


def test_a_mail_uses_the_requested_language(settings: Settings) -> None:
    settings.LANGUAGE_CODE = "fr"
    settings.LANGUAGES = [("fr", "French")]

    with translation.override("fr"):
        letter = written(MailTemplate.MAGIC_LINK, language="de")
        assert translation.get_language() == "fr"

    assert letter.subject == "Ihr Link zur Anmeldung bei auth.example.com"
    assert (
        "Der Link funktioniert einmal und ist 15 Minuten gültig, bis zum 21. November 2026, 03:59 UTC." in letter.text
    )


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "When: 21 November 2026, 03:44 UTC"),
        ("de", "Wann: 21. November 2026, 03:44 UTC"),
        ("fr", "Quand\N{NO-BREAK SPACE}: 21 novembre 2026, 03:44 UTC"),
        ("es", "Cuándo: 21 de noviembre de 2026, 03:44 UTC"),
        ("ja", "日時\N{FULLWIDTH COLON}2026年11月21日 03:44 UTC"),
    ],
)
def test_a_time_has_the_form_of_the_language(language: str, line: str) -> None:
    assert f"{line}\n" in written(MailTemplate.PASSWORD_CHANGED, language=language).text


def test_a_lazy_value_appears_in_the_language_of_the_mail() -> None:
    letter = written(MailTemplate.FACTOR_ADDED, factor=gettext_lazy("authenticator app"), language="de")

    assert "hinzugefügt: Authenticator-App. " in letter.text


@pytest.mark.parametrize(
    ("language", "button"),
    [("en", "Sign in"), ("de", "Anmelden"), ("fr", "Se connecter"), ("es", "Iniciar sesión"), ("ja", "ログイン")],
)
def test_the_button_has_no_colon(language: str, button: str) -> None:
    assert f">{button}</a>" in written(MailTemplate.MAGIC_LINK, language=language).html


def test_without_translations_a_mail_is_english(settings: Settings) -> None:
    settings.USE_I18N = False

    language = choose_language(locale="de", accept_language="de")

    assert language == "en"
    assert written(MailTemplate.PASSWORD_CHANGED, language=language).subject.startswith("Your password for")


@each(
    "locale, accept_language, language",
    [
        ("de", "fr", "de"),
        ("de-AT", "fr", "de"),
        ("de_AT", "fr", "de"),
        ("ES", "fr", "es"),
        (" fr ", "", "fr"),
        ("pt", "es", "es"),
        ("german", "es", "es"),
        ("", "es", "es"),
        (None, "es", "es"),
        (7, "es", "es"),
        (["de"], "es", "es"),
        ({"de": 1}, "es", "es"),
        (None, "pt-BR,pt;q=0.9,de-CH;q=0.8,en;q=0.7", "de"),
        (None, "de;q=0.5,fr;q=0.9", "fr"),
        (None, "de;q=0,fr;q=0.1", "fr"),
        (None, "en-GB,de", "en"),
        (None, "*", "en"),
        (None, "ja", "ja"),
        ("ja_JP", "de", "ja"),
        (None, "tlh", "en"),
        (None, "", "en"),
        (None, "de;q=x, \x00", "en"),
    ],
)
def test_the_locale_comes_first_and_then_the_header(locale: object, accept_language: str, language: str) -> None:
    assert choose_language(locale=locale, accept_language=accept_language) == language
