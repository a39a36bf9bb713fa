"""Every page of the console in Chromium, with hostile values in each field that a user controls."""

import json

import psycopg
import pytest
from playwright.sync_api import Page, expect

from tests.placement import TAKES_LONG

from .conftest import OpenPage
from .looks import faults, fits
from .operators import enter_console
from .service import Service, Visitor

pytestmark = [pytest.mark.usefixtures("full_deployment"), TAKES_LONG]

HOSTILE = "=1+1\u202e<img src=x onerror=window.ran=1>\"'<script>window.ran=1</script>{{7*7}}"
CUT = """() => [...document.querySelectorAll("input[placeholder]")].some((field) => {
  const style = getComputedStyle(field);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = style.font;
  const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return field.clientWidth > 0 && pen.measureText(field.placeholder).width > room;
})"""
LOOKS = ((360, "dark"), (1280, "light"))
WEIGHT_MAX = 20_000
"""The most bytes of a page as they are sent. A list of fifty events is 80 kB before the compression."""
OTHER_PAGES = (
    "charts/flagged",
    "reviews/all",
    "reviews/several",
    "attacks/203.0.113.0/24",
    "providers",
    "resend",
    "diagnose",
    "users?q=example&state=unproven",
    "find?q=zzz",
    "find?q=example",
    "time-zone",
    "/v1/admin",
    "/v1/admin/users",
    "/v1/admin/users/x/metadata/plan",
)


@pytest.fixture
def rows(service: Service) -> list[str]:
    """Rows whose fields are hostile. Returns the pages of a user, a delivery, a review and an application."""
    eve = service.sign_up()
    user_id = service.get("/v1/verify", token=eve.access).data["user_id"]
    key = {"name": HOSTILE, "scopes": [HOSTILE.replace(" ", "/").replace("\u202e", "")]}
    assert service.post("/v1/api-keys", key, token=eve.access).status == 201
    values = {
        "user": user_id,
        "text": HOSTILE,
        "email": f"{HOSTILE}@{user_id}.example.com",
        "metadata": json.dumps({HOSTILE: HOSTILE, "plan": [HOSTILE]}),
        "uris": json.dumps([f"https://{HOSTILE}.example.com/"]),
        "signals": json.dumps({"event": "login_success", "signals": ["new_ip", HOSTILE], "method": HOSTILE}),
    }
    with psycopg.connect(service.database_url) as session:
        for change in (
            "UPDATE authsvc_user SET email = %(email)s WHERE id = %(user)s",
            (
                "UPDATE authsvc_accounts_account SET metadata = %(metadata)s, locked_until = now() + interval '1 hour' "
                "WHERE user_id = %(user)s"
            ),
            (
                "UPDATE authsvc_sessions_token SET user_agent = %(text)s FROM authsvc_sessions_family AS family "
                "WHERE family.id = family_id AND account_id = %(user)s"
            ),
            (
                "INSERT INTO authsvc_mfa_passkey (id, account_id, credential_id, public_key, sign_count, transports, "
                "aaguid, is_backup_eligible, is_backed_up, nickname, created_at) VALUES (gen_random_uuid(), %(user)s, "
                "decode(replace(gen_random_uuid()::text, '-', ''), 'hex'), '', 0, '[]', gen_random_uuid(), false, "
                "false, left(%(text)s, 64), now())"
            ),
        ):
            session.execute(change, values)
        event = session.execute(
            "INSERT INTO authsvc_accounts_event (id, type, user_id, ip, user_agent, metadata, created_at) "
            "VALUES (gen_random_uuid(), 'anomaly_detected', %(user)s, '192.0.2.1', %(text)s, %(signals)s, now()) "
            "RETURNING id",
            values,
        ).fetchone()
        delivery = session.execute(
            "INSERT INTO authsvc_accounts_delivery (id, event_id, event_type, user_id, ip, payload, status, attempts, "
            "error, created_at, next_attempt_at) VALUES (gen_random_uuid(), gen_random_uuid(), 'login_success', %(user)s, "
            "'192.0.2.1', %(signals)s, 'failed', 7, left(%(text)s, 200), now(), now()) RETURNING id",
            values,
        ).fetchone()
        for waiting in (
            (
                "INSERT INTO authsvc_console_plannedact (id, account_id, act, reason, author_id, digest, planned_at, due_at) "
                "VALUES (gen_random_uuid(), %(user)s, 'delete', %(text)s, '', decode(replace(gen_random_uuid()::text, '-', ''), 'hex'), now(), "
                "now() + interval '7 days')"
            ),
            (
                "INSERT INTO authsvc_console_blockednetwork (id, network, reason, author_id, blocked_at, ends_at) "
                "VALUES (gen_random_uuid(), '192.0.2.0/24', %(text)s, '', now(), now() + interval '1 hour') "
                "ON CONFLICT DO NOTHING"
            ),
        ):
            session.execute(waiting, values)
        session.execute(
            "INSERT INTO authsvc_accounts_deliveryattempt (id, delivery_id, number, started_at, response_code, error, "
            "beginning, duration_ms) SELECT gen_random_uuid(), %(delivery)s, 7, now(), code, left(%(text)s, 200), "
            "left(%(text)s, 500), 15000 FROM unnest('{503,NULL}'::int[]) AS code",
            {**values, "delivery": delivery and delivery[0]},
        )
        application = session.execute(
            "INSERT INTO authsvc_oidc_client (id, name, authentication, redirect_uris, scopes, needs_pkce, is_first_party, "
            "created_at) VALUES (gen_random_uuid(), left(%(text)s, 100), 'secret', %(uris)s, '[\"openid\"]', true, false, "
            "now()) RETURNING id",
            values,
        ).fetchone()
        session.execute(
            "INSERT INTO authsvc_oidc_grant (family_id, client_id, scope, user_claims, token_claims, authenticated_at, amr, "
            "browser_id, is_offline) SELECT id, %(application)s, 'openid', '', '', now(), '', id, true "
            "FROM authsvc_sessions_family WHERE account_id = %(user)s",
            {**values, "application": application and application[0]},
        )
    assert event is not None
    assert delivery is not None
    assert application is not None
    acts = [f"users/{user_id}/acts", f"deliveries/{delivery[0]}/resend"]
    acts.append(f"applications/{application[0]}")
    return [f"users/{user_id}", f"deliveries/{delivery[0]}", f"reviews/{event[0]}", f"events/{event[0]}", *acts]


def test_each_page_is_accessible_fits_and_runs_nothing_that_a_user_wrote(
    open_page: OpenPage, service: Service, olivia: Visitor, rows: list[str]
) -> None:
    page = open_page(viewport={"width": 1280, "height": 800})
    enter_console(page, service, olivia)
    sections = [str(link.get_attribute("href")) for link in page.locator(".side nav li a").all()]
    assert len(sections) >= 13

    problems = [
        (path, *problem)
        for path in [*sections, *rows, *OTHER_PAGES]
        for problem in problems_of(page, path if path.startswith("/") else f"/console/{path}")
    ]

    assert problems == []
    page.goto(f"/console/{rows[0]}")
    expect(page.get_by_text(HOSTILE, exact=True)).not_to_have_count(0)


def problems_of(page: Page, path: str) -> list[tuple[object, ...]]:
    """Open the page once, and return its problems in both looks."""
    response = page.goto(path)
    assert response is not None
    found: list[tuple[object, ...]] = [("status", response.status)] if response.status != 200 else []
    if (weight := response.request.sizes()["responseBodySize"]) >= WEIGHT_MAX:
        found.append(("bytes", weight))
    for width, scheme in LOOKS:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        # The colours of the other scheme are gone after the next frame.
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        if not fits(page):
            found.append(("too wide", width))
        found += [(scheme, *fault) for fault in faults(page)]
        if page.evaluate(CUT):
            found.append(("cut placeholder", width))
    if page.evaluate("'ran' in window || document.querySelector('img, script:not([nonce])') !== null"):
        found.append(("ran", path))
    return found
