from importlib import import_module

import pytest
from django.apps import apps
from django.utils.module_loading import module_has_submodule

from core.errors import ServiceError
from tests.rows import each

from .mounted import view_at
from .tables import CODES, ROUTES, Route, by_code, by_route
from .test_routes import SERVED

for app in apps.get_app_configs():
    if app.label.startswith("authsvc_") and app.module is not None and module_has_submodule(app.module, "errors"):
        import_module(f"{app.name}.errors")


@each("expected", by_code())
def test_each_code_of_the_contract_has_an_error_class_with_its_status(expected: tuple[str, int]) -> None:
    code, status = expected

    assert ServiceError.registry[code].status == status


@each("code", sorted(code for code, cls in ServiceError.registry.items() if not cls.__module__.startswith("tests.")))
def test_each_error_class_has_a_code_of_the_contract(code: str) -> None:
    assert code in CODES


def test_a_second_error_class_with_the_same_code_is_refused() -> None:
    with pytest.raises(TypeError, match="user_exists"):
        type("UserExists", (ServiceError,), {"__doc__": "Another one."}, status=409)


@each("route", by_route(*SERVED))
def test_each_route_declares_exactly_the_codes_of_the_contract(route: Route) -> None:
    view = view_at(route.url)()
    declared = view.schema.errors_of(route.method) if view.schema else view.operations[route.method].errors

    assert {error.code for error in declared} == route.codes


def test_every_code_of_a_route_is_in_the_table_of_codes() -> None:
    assert {code for route in ROUTES for code in route.codes} <= set(CODES)
