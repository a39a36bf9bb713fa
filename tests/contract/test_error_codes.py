from importlib import import_module

import pytest
from django.apps import apps
from django.utils.module_loading import module_has_submodule

from accounts.core.errors import ServiceError

from .mounted import view_at
from .tables import CODES, NOT_BUILT, ROUTES, Route, by_code, by_route
from .test_routes import SERVED

for app in apps.get_app_configs():
    if app.label.startswith("authsvc_") and app.module is not None and module_has_submodule(app.module, "errors"):
        import_module(f"{app.name}.errors")


@pytest.mark.parametrize("expected", by_code())
def test_a_code_of_the_contract_has_its_class_and_its_status(expected: tuple[str, int]) -> None:
    code, status = expected

    assert ServiceError.registry[code].status == status


@pytest.mark.parametrize(
    "code", sorted(code for code, cls in ServiceError.registry.items() if not cls.__module__.startswith("tests."))
)
def test_a_code_that_is_there_is_one_of_the_contract(code: str) -> None:
    assert code in CODES


def test_a_second_class_of_one_code_is_refused() -> None:
    with pytest.raises(TypeError, match="user_exists"):
        type("UserExists", (ServiceError,), {"__doc__": "Another one."}, status=409)


@pytest.mark.parametrize("route", by_route(*SERVED))
def test_a_route_declares_the_codes_of_the_contract(route: Route) -> None:
    view = view_at(route.url)()
    declared = view.schema.errors_of(route.method) if view.schema else view.operations[route.method].errors

    assert {error.code for error in declared} == route.codes - NOT_BUILT


def test_every_code_that_a_route_answers_is_explained() -> None:
    assert {code for route in ROUTES for code in route.codes} <= set(CODES)
