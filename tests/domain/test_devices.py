from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_app.detection.devices import Device, Form, describe, label
from tests.rows import each

pytestmark = pytest.mark.once

# form, browser, system, user agent
TABLE = """
desktop | Chrome            | Windows  | Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36
desktop | Firefox           | Windows  | Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0
desktop | Edge              | Windows  | Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0
desktop | Edge              | Windows  | Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/64.0.3282.140 Safari/537.36 Edge/18.17763
desktop | Opera             | Windows  | Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 OPR/116.0.0.0
desktop | Vivaldi           | Windows  | Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Vivaldi/7.0.3495.18
desktop | Electron          | Windows  | Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Slack/4.41.97 Chrome/130.0.6723.59 Electron/33.0.1 Safari/537.36
desktop | Internet Explorer | Windows  | Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko
desktop | Internet Explorer | Windows  | Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0; Tablet PC 2.0)
desktop | Chrome            | macOS    | Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36
desktop | Safari            | macOS    | Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15
desktop | Firefox           | macOS    | Mozilla/5.0 (Macintosh; Intel Mac OS X 14.7; rv:133.0) Gecko/20100101 Firefox/133.0
desktop | Edge              | macOS    | Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.2903.86
desktop | DuckDuckGo        | macOS    | Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15 Ddg/17.5
desktop | WebView           | macOS    | Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)
desktop | Chrome            | Linux    | Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36
desktop | Firefox           | Linux    | Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0
desktop | Firefox           | Ubuntu   | Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0
desktop | Firefox           | FreeBSD  | Mozilla/5.0 (X11; FreeBSD amd64; rv:130.0) Gecko/20100101 Firefox/130.0
desktop | Chrome            | ChromeOS | Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36
desktop |                   | Windows  | Mozilla/5.0 (Windows NT 10.0; Win64; x64)
mobile  | Chrome            | Android  | Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36
mobile  | Samsung Internet  | Android  | Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36
mobile  | Firefox           | Android  | Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0
mobile  | Edge              | Android  | Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36 EdgA/131.0.0.0
mobile  | Opera             | Android  | Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36 OPR/86.0.0.0
mobile  | Opera Mini        | Android  | Opera/9.80 (Android; Opera Mini/36.2.2254/119.132; U; en) Presto/2.12.423 Version/12.16
mobile  | WebView           | Android  | Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UD1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36
mobile  | Facebook          | Android  | Mozilla/5.0 (Linux; Android 14; SM-S921B; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/490.0.0.0;]
mobile  | Chrome            | Android  | Mozilla/5.0 (Linux; Android 9; CUBOT X19) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/99.0.4844.88 Mobile Safari/537.36
mobile  |                   | Android  | Mozilla/5.0 (Linux; U; Android 4.0.3; de-de; Galaxy S II Build/GRJ22) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30
mobile  | Safari            | iOS      | Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1
mobile  | Chrome            | iOS      | Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1
mobile  | Firefox           | iOS      | Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/133.0 Mobile/15E148 Safari/605.1.15
mobile  | Edge              | iOS      | Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 EdgiOS/131.0.2903.68 Mobile/15E148 Safari/604.1
mobile  | WebView           | iOS      | Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148
mobile  | Instagram         | iOS      | Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 334.0.4.32.98 (iPhone14,5; iOS 17_5; en_US)
mobile  | Firefox           | KaiOS    | Mozilla/5.0 (Mobile; rv:48.0; A405DL) Gecko/48.0 Firefox/48.0 KAIOS/2.5
tablet  | Chrome            | Android  | Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36
tablet  | Samsung Internet  | Android  | Mozilla/5.0 (Linux; Android 13; SM-X900) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Safari/537.36
tablet  | Firefox           | Android  | Mozilla/5.0 (Android 13; Tablet; rv:133.0) Gecko/133.0 Firefox/133.0
tablet  | Amazon Silk       | Android  | Mozilla/5.0 (Linux; Android 11; KFTRWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/122.4.1 like Chrome/122.0.6261.149 Safari/537.36
tablet  | Safari            | iOS      | Mozilla/5.0 (iPad; CPU OS 17_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.7 Mobile/15E148 Safari/604.1
tablet  | Chrome            | iOS      | Mozilla/5.0 (iPad; CPU OS 17_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1
tablet  | WebView           | iOS      | Mozilla/5.0 (iPad; CPU OS 17_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148
        | Chrome            | Android  | Mozilla/5.0 (Linux; Android 9; BRAVIA 4K UR2) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/99.0.4844.88 Safari/537.36
        | Oculus Browser    | Android  | Mozilla/5.0 (Linux; Android 12; Quest 3) AppleWebKit/537.36 (KHTML, like Gecko) OculusBrowser/35.1 Chrome/126.0.0.0 VR Safari/537.36
        | Chrome            | webOS    | Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/94.0.4606.128 Safari/537.36 WebAppManager
        | MyApp             | iOS      | MyApp/1.0 CFNetwork/1568.200.51 Darwin/24.1.0
        |                   | Android  | Dalvik/2.1.0 (Linux; U; Android 13; Pixel 6 Build/TQ3A.230901.001)
        | curl              |          | curl/8.11.0
        | Wget              |          | Wget/1.21.4
        | Python Requests   |          | python-requests/2.32.3
        | Python-urllib     |          | Python-urllib/3.11
        | okhttp            |          | okhttp/4.12.0
        | axios             |          | axios/1.7.7
        | Go-http-client    |          | Go-http-client/2.0
bot     | Googlebot         |          | Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)
bot     | Googlebot         | Android  | Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.6778.69 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)
bot     | Applebot          | macOS    | Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)
bot     | AhrefsBot         |          | Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)
bot     | FacebookBot       |          | facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)
bot     | HeadlessChrome    | Linux    | Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/131.0.0.0 Safari/537.36
"""
KNOWN = [[cell.strip() for cell in row.split(" | ")] for row in TABLE.strip("\n").splitlines()]
MEANINGLESS = ["", " ", "-", "Mozilla/5.0", "Mozilla", "x" * 512, "🙂" * 512, "%s%n" * 128, "((((" * 128, "\\" * 512]


@each("form, browser, os, user_agent", KNOWN)
def test_a_user_agent_determines_browser_system_and_form(form: str, browser: str, os: str, user_agent: str) -> None:
    device = describe(user_agent)

    assert (device.form, device.browser, device.os) == (form, browser, os)


@pytest.mark.parametrize(("app", "browser"), [(" My App ", "My App"), ("  ", "")])
def test_an_app_that_states_its_name_is_named_without_surrounding_blanks(app: str, browser: str) -> None:
    device = describe(f"{app}/1.0 CFNetwork/1568.200.51 Darwin/24.1.0")

    assert device == Device(browser=browser, os="iOS", form="")


@each("user_agent", MEANINGLESS)
def test_an_unrecognized_user_agent_is_an_unknown_device(user_agent: str) -> None:
    device = describe(user_agent)

    assert device == Device(browser="", os="", form="")
    assert label(device) == "Unknown device"


@each(
    "device, expected",
    [
        (Device(browser="Chrome", os="macOS", form="desktop"), "Chrome on macOS"),
        (Device(browser="MyApp", os="iOS", form=""), "MyApp on iOS"),
        (Device(browser="curl", os="", form=""), "curl"),
        (Device(browser="", os="Windows", form="desktop"), "Windows"),
        (Device(browser="Googlebot", os="Android", form="bot"), "Googlebot"),
        (Device(browser="", os="Linux", form="bot"), "Linux"),
        (Device(browser="", os="", form="bot"), "Unknown device"),
        (Device(browser="", os="", form=""), "Unknown device"),
    ],
)
def test_a_label_names_the_known_parts(device: Device, expected: str) -> None:
    assert label(device) == expected


TOKENS = st.sampled_from(
    [token for *_, user_agent in KNOWN for token in user_agent.split(" ")] + ["bot/1", "(", ";", "/1 CFNetwork", "  "]
)


@given(st.one_of(st.text(max_size=512), st.lists(TOKENS, max_size=40).map(" ".join)))
def test_any_text_is_a_device_with_a_label(user_agent: str) -> None:
    device = describe(user_agent)

    assert device.form in get_args(Form)
    assert label(device).strip()
    assert (device.browser, device.os) == (device.browser.strip(), device.os.strip())
