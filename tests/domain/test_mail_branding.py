"""The product's name, logo and colour in the mails, and templates that a project overrides."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client as Browser
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from accounts.checks import check_brand, check_earlier_names
from core.http.client import Client
from core.http.tokens import tokens
from mail.branding import brand_rule, link_tone, text_colour_on
from mail.compose import MailTemplate, render
from mail.conf import settings as mail_settings
from mail.transports import Letter
from tests.rows import each

LOGO = "https://cdn.example.com/logo.png?v=2"
TOKEN = "x" * 43


@pytest.fixture(autouse=True)
def _deployment(settings: Settings) -> None:
    settings.AUTH_SERVICE = {"BASE_URL": "https://auth.example.com"}


def configure(settings: Settings, **variables: str) -> None:
    settings.AUTH_SERVICE = {**settings.AUTH_SERVICE, **variables}


def written(template: MailTemplate = MailTemplate.MAGIC_LINK) -> Letter:
    return render(
        template=template,
        to="alice@example.com",
        values={"token": TOKEN, "code": "042917"},
        client=Client(ip="203.0.113.7", user_agent=""),
        now=datetime(2026, 11, 21, 3, 44, tzinfo=UTC),
        expires_at=datetime(2026, 11, 21, 3, 59, tzinfo=UTC),
        language="en",
    )


def contrast(colour: str, other: str) -> float:
    lighter, darker = sorted(map(luminance, (colour, other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(byte / 255) for byte in bytes.fromhex(colour.removeprefix("#")))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_without_settings_a_mail_has_the_name_of_the_host() -> None:
    letter = written()

    assert letter.subject == "Your link to sign in to auth.example.com"
    assert "<img" not in letter.html
    assert "background-color: #1d4ed8; color: #ffffff" in letter.html


def test_a_mail_has_the_name_of_the_product(settings: Settings) -> None:
    configure(settings, BRAND_NAME="Acme & <Söhne>")

    letter = written()

    assert letter.subject == "Your link to sign in to Acme & <Söhne>"
    assert "A link to sign in to Acme & <Söhne> with" in letter.text
    assert letter.html.count("Acme &amp; &lt;Söhne&gt;") == 4
    assert "https://auth.example.com/mail/magic-link#token=" in letter.text


def test_a_mail_shows_the_logo_with_the_name_as_its_text(settings: Settings) -> None:
    configure(settings, BRAND_LOGO_URL=LOGO, BRAND_NAME="Acme")

    letter = written()

    assert f'<img src="{LOGO}" alt="Acme"' in letter.html
    assert "logo" not in letter.text


def test_the_button_has_the_colour_of_the_product(settings: Settings) -> None:
    configure(settings, BRAND_COLOUR="#FFCC00")

    assert "background-color: #ffcc00; color: #000000" in written().html


@given(st.integers(0, 0xFFFFFF))
def test_the_text_on_each_colour_is_readable(number: int) -> None:
    colour = f"#{number:06x}"

    assert contrast(colour, text_colour_on(colour=colour)) >= 4.5


@each(
    "name, value",
    [
        ("BRAND_COLOUR", "1d4ed8"),
        ("BRAND_COLOUR", "#1d4"),
        ("BRAND_COLOUR", "blue"),
        ("BRAND_COLOUR", "#1d4ed8; x"),
        ("BRAND_LOGO_URL", "http://cdn.example.com/logo.png"),
        ("BRAND_LOGO_URL", "data:image/png;base64,AAAA"),
        ("BRAND_LOGO_URL", "https://cdn.example.com/logo.png; script-src *"),
        ("BRAND_LOGO_URL", "https://cdn.example.com/a;b.png"),
        ("BRAND_LOGO_URL", "/logo.png"),
        ("BRAND_LOGO_DARK_URL", "http://cdn.example.com/logo.png"),
        ("BRAND_NAME", "x" * 61),
        ("BRAND_NAME", "Acme\nBcc: eve@example.com"),
    ],
)
def test_a_malformed_setting_stops_the_start(settings: Settings, name: str, value: str) -> None:
    settings.AUTH_SERVICE = {"BASE_URL": "https://auth.example.com", name: value}

    with pytest.raises(ImproperlyConfigured, match=f"{name} must be"):
        mail_settings()


def test_an_earlier_name_of_a_setting_still_works_and_is_reported(settings: Settings) -> None:
    configure(settings, MAIL_PRODUCT_NAME="Acme", MAIL_COLOUR="#0b6e4f", BRAND_COLOUR="#FFCC00")

    warnings = [warning.msg for warning in check_earlier_names()]

    assert (mail_settings().product_name, mail_settings().colour) == ("Acme", "#ffcc00")
    assert warnings == [
        "MAIL_PRODUCT_NAME is the earlier name of BRAND_NAME.",
        "MAIL_COLOUR is the earlier name of BRAND_COLOUR.",
    ]


def test_a_malformed_setting_is_named_as_it_is_written(settings: Settings) -> None:
    configure(settings, MAIL_COLOUR="blue")

    with pytest.raises(ImproperlyConfigured, match="MAIL_COLOUR must be"):
        mail_settings()


def test_a_pale_colour_is_reported_with_its_ratio_and_a_better_one(settings: Settings) -> None:
    configure(settings, BRAND_COLOUR="#ffcc00")

    [warning] = check_brand()

    assert "BRAND_COLOUR is #ffcc00, which has a contrast of 1.5:1 on light pages." in warning.msg
    assert (
        warning.hint
        == f"To have one colour everywhere, set BRAND_COLOUR to {link_tone('#ffcc00').light} or to a darker colour."
    )


def test_a_colour_with_enough_contrast_is_not_reported(settings: Settings) -> None:
    configure(settings, BRAND_COLOUR=link_tone("#ffcc00").light)

    assert check_brand() == []


def test_the_pages_have_name_logo_and_colour(settings: Settings) -> None:
    configure(settings, BRAND_NAME="Acme", BRAND_LOGO_URL=LOGO, BRAND_COLOUR="#ffcc00")

    page = Browser().get("/mail/email-change", headers={"Host": "localhost:8000"})
    style = Browser().get(reverse("authsvc-page-asset", args=["pages.css"])).content.decode()

    assert f'<picture><img src="{LOGO}" alt="Acme"' in page.content.decode()
    assert "<title>Confirm your new address · Acme</title>" in page.content.decode()
    assert "img-src https://cdn.example.com/logo.png 'self' data:;" in page.headers["Content-Security-Policy"]
    assert style.startswith(tokens() + brand_rule())
    assert "--accent: light-dark(#ffcc00, #ffcc00);" in brand_rule()


def test_the_pages_have_another_logo_in_dark_mode(settings: Settings) -> None:
    dark = "https://cdn.example.com/dark.svg"
    configure(settings, BRAND_NAME="Acme", BRAND_LOGO_URL=LOGO, BRAND_LOGO_DARK_URL=f"{dark}?v=2")

    page = Browser().get("/mail/email-change", headers={"Host": "localhost:8000"})

    source = f'<source srcset="{dark}?v=2" media="(prefers-color-scheme: dark)"><img src="{LOGO}"'
    assert source in page.content.decode()
    assert f"img-src https://cdn.example.com/logo.png {dark} 'self'" in page.headers["Content-Security-Policy"]
    assert dark not in written().html


def test_the_pages_show_a_name_without_a_logo(settings: Settings) -> None:
    configure(settings, BRAND_NAME="Acme")

    page = Browser().get("/mail/email-change", headers={"Host": "localhost:8000"})

    assert "Acme</span>" in page.content.decode()
    assert "https://" not in page.headers["Content-Security-Policy"]


def test_a_project_overrides_a_text_and_the_layout(settings: Settings, tmp_path: Path) -> None:
    (templates,) = settings.TEMPLATES
    settings.TEMPLATES = [{**templates, "DIRS": [tmp_path, *templates.get("DIRS", [])]}]
    mails = tmp_path / "authsvc_accounts/mails"
    mails.mkdir(parents=True)
    (mails / "magic_link.txt").write_text(
        '{% extends "authsvc_accounts/mails/base.txt" %}\n'
        "{% block subject %}Come in, {{ site }} is open{% endblock %}\n"
        "{% block what %}Here is your link.{% endblock %}\n"
        "{% block button %}Open the door{% endblock %}\n"
        "{% block not_you %}Ignore this mail if you did not ask for it.{% endblock %}\n"
    )
    (mails / "layout.html").write_text("{% for block in blocks %}<i>{{ block.text }}</i>{% endfor %}")

    letter, other = written(), written(MailTemplate.PASSWORD_CHANGED)

    assert letter.subject == "Come in, auth.example.com is open"
    assert letter.text.startswith(
        "Here is your link.\n\nOpen the door:\nhttps://auth.example.com/mail/magic-link#token="
    )
    assert letter.html.startswith("<i>Here is your link.</i><i>Open the door</i>")
    assert other.subject == "Your password for auth.example.com was changed"
    assert other.html.startswith("<i>The password of your account")
