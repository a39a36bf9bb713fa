import re
from typing import Any

import orjson
import pytest
from django.conf import settings
from django.urls import set_script_prefix
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.settings import spectacular_settings
from drf_spectacular.validation import validate_schema

from core.conf import core_settings
from core.db.deployment import is_embedded
from core.http.contents import CONTENTS
from core.http.openapi import document
from core.http.view import Auth
from sessions_app.logins.second_factors import gating_factors
from tests.client import Api
from tests.contract.mounted import mounted_operations
from tests.contract.tables import BARE_ARRAYS, PAGES, PLAIN_DOCUMENTS
from tests.description import anonymous, strict_document, validator_of
from tests.operators import only_on_full

NOT_DESCRIBED = set(map(anonymous, PAGES))
VERBS = {
    "Accept",
    "Ask",
    "Begin",
    "Cancel",
    "Change",
    "Check",
    "Complete",
    "Confirm",
    "Create",
    "Delete",
    "Diagnose",
    "Draw",
    "End",
    "Get",
    "List",
    "Log",
    "Make",
    "Reauthenticate",
    "Refresh",
    "Register",
    "Remove",
    "Report",
    "Request",
    "Reset",
    "Review",
    "Revoke",
    "Search",
    "Set",
    "Show",
    "Sign",
    "Start",
    "Store",
    "Suggest",
    "Test",
    "Undo",
    "Verify",
}
VERBS_OF_IDS = {"Disable", "Enroll", "Export", "Finish", "Generate", "Signal", "Unlink"}


def fetch(api: Api, path: str = "/v1/openapi.json") -> Any:
    response = api.client.get(path)
    assert response.status_code == 200
    return orjson.loads(response.content)


def without(schema: dict[str, Any], name: str) -> dict[str, Any]:
    return {keyword: value for keyword, value in schema.items() if keyword != name}


def operations(described: Any) -> dict[str, Any]:
    return {
        f"{method.upper()} {anonymous(path)}": operation
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    }


def test_the_document_is_served_without_the_envelope_and_with_the_usual_headers(api: Api) -> None:
    response = api.client.get("/v1/openapi.json")

    described = orjson.loads(response.content)
    assert described["openapi"] == "3.1.0"
    assert (described["info"]["title"], described["info"]["version"]) == ("Gatehouse", "1.1")
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Spec-Version"] == "1.1"
    assert described["servers"] == [{"url": core_settings().base_url}]


def test_the_document_is_valid_openapi(api: Api) -> None:
    validate_schema(fetch(api))


def test_the_generator_gives_no_warnings() -> None:
    document.__wrapped__(urlconf=settings.ROOT_URLCONF, server="")

    assert not GENERATOR_STATS


def test_the_document_describes_exactly_the_operations(api: Api) -> None:
    assert set(operations(fetch(api))) == set(mounted_operations()) - NOT_DESCRIBED


def test_the_operation_ids_are_those_of_the_table(api: Api) -> None:
    ids = [operation["operationId"] for operation in operations(fetch(api)).values()]

    table = [one for section in CONTENTS for one in section.operations]
    absent = (
        set() if not is_embedded() else {one for part in CONTENTS if "console" in part.title for one in part.operations}
    )
    assert ids == [one for one in table if one not in absent]
    assert len(set(ids)) == len(ids)


def test_every_operation_id_is_a_verb_and_an_object(api: Api) -> None:
    ids = [operation["operationId"] for operation in operations(fetch(api)).values()]

    words = {one: re.findall(r"^[a-z]+|[A-Z][a-z]+", one) for one in ids}
    assert {verb.capitalize() for verb, *_ in words.values()} - VERBS - VERBS_OF_IDS == set()
    assert {one for one in ids if len(words[one]) < 2 or "".join(words[one]) != one} == set()


def test_sign_up_and_login_come_first(api: Api) -> None:
    described = fetch(api)

    assert list(described["paths"])[:2] == ["/v1/signup", "/v1/login"]
    assert described["tags"][0]["name"] == "Sign-up and login"
    assert {one["name"] for one in described["tags"]} == {
        tag for operation in operations(described).values() for tag in operation["tags"]
    }


def test_every_summary_is_unique_and_begins_with_a_verb(api: Api) -> None:
    described = operations(fetch(api)).values()

    summaries = [operation["summary"] for operation in described]
    assert len(set(summaries)) == len(summaries)
    assert {summary.split()[0] for summary in summaries} - VERBS == set()
    assert not any(summary.endswith(".") for summary in summaries)
    assert all(operation["description"] and operation["tags"] for operation in described)


def test_every_operation_declares_whether_it_needs_a_token(api: Api) -> None:
    described = fetch(api)

    schemes = described["components"]["securitySchemes"]
    assert {name: without(scheme, "description") for name, scheme in schemes.items()} == {
        "accessToken": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
        "apiKey": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
    }
    views = {name: view for name, view in mounted_operations().items() if name not in NOT_DESCRIBED}
    security = {name: operation["security"] for name, operation in operations(described).items()}
    needs = {name for name, view in views.items() if view.auth is not Auth.PUBLIC}
    assert {name for name, given in security.items() if given and {} not in given} == needs
    assert {name for name, given in security.items() if given == [{"apiKey": []}]} == {
        name for name, view in views.items() if view.auth is Auth.MACHINE
    }
    assert {name for name, given in security.items() if {} in given} == {
        name for name, view in views.items() if view.takes_token
    }
    assert [name for name, one in operations(described).items() if {"apiKey": []} in one["security"]] == [
        "GET /v1/verify",
        "GET /v1/revocations",
    ]
    assert "X-API-Key" in described["paths"]["/v1/verify"]["get"]["description"]


def test_every_success_except_plain_documents_is_data_in_the_envelope(api: Api) -> None:
    described = fetch(api)
    schemas = described["components"]["schemas"]
    for name, operation in operations(described).items():
        (success,) = [answer for status, answer in operation["responses"].items() if status < "400"]
        ((media_type, content),) = success["content"].items()
        schema = content["schema"]
        assert media_type == ("image/svg+xml" if name.endswith(".svg") else "application/json")
        if "$ref" not in schema:
            assert name in PLAIN_DOCUMENTS
            continue
        envelope = schemas[schema["$ref"].rpartition("/")[2]]
        assert envelope["required"] == ["data"]
        assert (envelope["properties"]["data"].get("type") == "array") == (name in map(anonymous, BARE_ARRAYS))


def test_all_errors_have_one_schema(api: Api) -> None:
    described = fetch(api)
    failures = [
        answer["content"]["application/json"]
        for operation in operations(described).values()
        for status, answer in operation["responses"].items()
        if status >= "400"
    ]

    assert all(failure["schema"] == {"$ref": "#/components/schemas/ErrorEnvelope"} for failure in failures)
    schemas = described["components"]["schemas"]
    assert schemas["ErrorEnvelope"]["properties"] == {"error": {"$ref": "#/components/schemas/ErrorBody"}}
    assert schemas["ErrorBody"]["required"] == ["code", "message"]
    assert set(schemas["ErrorBody"]["properties"]) == {"code", "message", "details"}
    assert schemas["ErrorBody"]["properties"]["code"]["type"] == "string"
    assert "enum" not in schemas["ErrorBody"]["properties"]["code"]


def test_an_answer_lists_its_codes(api: Api) -> None:
    answer = fetch(api)["paths"]["/v1/signup"]["post"]["responses"]["400"]

    codes = ["bad_request", "password_breached", "password_policy_violation"]
    assert list(answer["content"]["application/json"]["examples"]) == codes
    assert [line.split("`")[1] for line in answer["description"].splitlines()] == codes


def test_no_component_has_the_name_of_another_with_new_before_it(api: Api) -> None:
    names = set(fetch(api)["components"]["schemas"])

    assert {name for name in names if f"New{name}" in names} == set(), "Go has a function New… for each type"


def test_a_timestamp_has_the_date_time_format(api: Api) -> None:
    session = fetch(api)["components"]["schemas"]["Session"]

    assert without(session["properties"]["created_at"], "description") == {"type": "string", "format": "date-time"}


def test_a_login_is_a_pair_of_tokens_or_a_pause(api: Api) -> None:
    assert fetch(api)["components"]["schemas"]["LoginAnswer"]["oneOf"] == [
        {"$ref": "#/components/schemas/TokenPair"},
        {"$ref": "#/components/schemas/PausedLogin"},
    ]


def test_a_paused_login_is_described_with_its_two_methods(api: Api) -> None:
    paused = fetch(api)["components"]["schemas"]["PausedLogin"]["properties"]

    assert paused["second_factor_required"] == {"type": "boolean", "description": "Always true."}
    assert paused["methods"] == {
        "type": "array",
        "minItems": 1,
        "items": {"type": "string", "enum": [factor.name for factor in gating_factors()]},
    }


def test_every_body_has_an_example_that_its_schema_allows(api: Api) -> None:
    described = strict_document(settings.ROOT_URLCONF)
    without_example = set()
    for name, operation in operations(described).items():
        bodies = {"request": operation["requestBody"]} if "requestBody" in operation else {}
        for where, body in {**bodies, **operation["responses"]}.items():
            ((media_type, content),) = body["content"].items()
            examples = [example["value"] for example in content.get("examples", {}).values()]
            examples += [content["example"]] if "example" in content else []
            if not examples:
                without_example.add(f"{name} {where}")
            for example in examples if media_type == "application/json" else ():
                validator_of(content["schema"], described).validate(example)

    assert without_example == {"GET /v1/openapi.json 200"}


@pytest.mark.parametrize(
    ("schema", "member", "keywords"),
    [
        ("SignupInput", "email", {"minLength": 3, "maxLength": 254}),
        ("SignupInput", "password", {"minLength": 8, "maxLength": 256}),
        ("ChangePasswordInput", "new_password", {"minLength": 8, "maxLength": 256}),
        ("NewEmailInput", "new_email", {"minLength": 3, "maxLength": 254}),
        ("NewKeyInput", "name", {"minLength": 1, "maxLength": 100}),
        ("NewKeyInput", "expires_in_days", {"type": "integer", "minimum": 0, "maximum": 3650}),
        ("NewPasskeyInput", "nickname", {"maxLength": 100}),
        ("QuestionInput", "question", {"minLength": 1, "maxLength": 500}),
    ],
)
def test_bounds_are_described_as_they_are_validated(
    api: Api, schema: str, member: str, keywords: dict[str, object]
) -> None:
    described = fetch(api)["components"]["schemas"][schema]["properties"][member]

    assert {name: described.get(name) for name in keywords} == keywords


@only_on_full
@pytest.mark.parametrize(
    ("schema", "required", "member", "keywords"),
    [
        ("ReviewInput", ["status"], "status", {"enum": ["unreviewed", "confirmed", "dismissed"]}),
        ("ReviewInput", ["status"], "note", {"type": "string", "maxLength": 500}),
        ("MetadataInput", ["value"], "value", {}),
    ],
)
def test_bounds_that_a_view_checks_are_described(
    api: Api, schema: str, required: list[str], member: str, keywords: dict[str, object]
) -> None:
    described = fetch(api)["components"]["schemas"][schema]

    assert described["required"] == required
    assert {name: described["properties"][member].get(name) for name in keywords} == keywords


@only_on_full
def test_the_key_of_metadata_is_described_in_the_path(api: Api) -> None:
    _, key = fetch(api)["paths"]["/v1/admin/users/{user_id}/metadata/{key}"]["put"]["parameters"]

    pattern = key["schema"]["pattern"]
    fits = {text: re.search(pattern, text) is not None for text in ("plan", "_a.b-c", "1a", "a" * 65)}
    assert list(fits.values()) == [True, True, False, False]
    assert "role" in key["schema"]["not"]["enum"]


def test_the_document_contains_no_trace_of_the_generator(api: Api) -> None:
    assert "x-spec-enum-id" not in api.client.get("/v1/openapi.json").content.decode()


def test_the_refresh_describes_its_optional_header(api: Api) -> None:
    (parameter,) = fetch(api)["paths"]["/v1/refresh"]["post"]["parameters"]

    assert (parameter["name"], parameter["in"], parameter["required"]) == ("Idempotency-Key", "header", False)
    assert parameter["schema"] == {"type": "string", "pattern": "^[A-Za-z0-9_-]{22,64}$"}
    assert re.fullmatch(parameter["schema"]["pattern"], parameter["example"])


def test_a_path_parameter_is_a_string(api: Api) -> None:
    (parameter,) = fetch(api)["paths"]["/v1/sessions/{session_id}"]["delete"]["parameters"]

    assert parameter == {"name": "session_id", "in": "path", "required": True, "schema": {"type": "string"}}


@pytest.mark.urls("tests.api.conventions.mixed_site")
def test_under_a_prefix_the_document_describes_only_the_service(api: Api) -> None:
    paths = set(fetch(api, "/auth/v1/openapi.json")["paths"])

    assert {"/auth/v1/signup", "/auth/v1/health", "/auth/v1/openapi.json"} <= paths
    assert {path for path in paths if not path.startswith("/auth/v1/")} == set()


def test_the_server_url_contains_the_script_name(api: Api) -> None:
    set_script_prefix("/sub/")
    try:
        described = fetch(api)
    finally:
        set_script_prefix("/")

    assert described["servers"] == [{"url": f"{core_settings().base_url}/sub"}]
    assert "/v1/login" in described["paths"]


def test_the_schema_settings_of_a_site_neither_affect_the_document_nor_change() -> None:
    hostile = {
        "TITLE": "The site's own",
        "VERSION": "0.0.7",
        "OAS_VERSION": "3.0.3",
        "SCHEMA_PATH_PREFIX": "/v1",
        "SCHEMA_PATH_PREFIX_TRIM": True,
        "CAMELIZE_NAMES": True,
        "COMPONENT_SPLIT_REQUEST": True,
        "DISABLE_DOCSTRING_DESCRIPTIONS": True,
        "SECURITY": [{"everything": []}],
        "APPEND_PATHS": {"/more": {}},
        "POSTPROCESSING_HOOKS": [],
    }
    usual = document.__wrapped__(urlconf=settings.ROOT_URLCONF, server="")
    before = {name: getattr(spectacular_settings, name) for name in hostile}
    for name, value in hostile.items():
        setattr(spectacular_settings, name, value)
    try:
        assert document.__wrapped__(urlconf=settings.ROOT_URLCONF, server="") == usual
        assert {name: getattr(spectacular_settings, name) for name in hostile} == hostile
    finally:
        for name, value in before.items():
            setattr(spectacular_settings, name, value)
