import pytest
from django.urls import NoReverseMatch, reverse

from core.db.deployment import is_embedded
from tests.description import anonymous
from tests.rows import each

from .mounted import mounted_operations, view_at
from .tables import ADMIN, MACHINE, PUBLIC, ROUTES, STANDALONE_ONLY, USER, Route, by_route

SERVED = [PUBLIC, USER, MACHINE] if is_embedded() else [PUBLIC, USER, MACHINE, ADMIN]


@each("route", by_route(*SERVED))
def test_each_route_of_the_contract_exists(route: Route) -> None:
    view = view_at(route.url)
    operation = view.operations[route.method]

    assert (view.auth, operation.status) == (route.auth, route.status)
    assert (operation.input is not None) == route.has_body


@each("name", sorted(mounted_operations()))
def test_each_existing_operation_is_in_the_contract(name: str) -> None:
    assert name in {anonymous(route.name) for route in ROUTES} | STANDALONE_ONLY


@pytest.mark.skipif(not is_embedded(), reason="a full deployment has them")
def test_an_embedded_deployment_has_no_route_for_operators() -> None:
    assert not [name for name, view in mounted_operations().items() if view.auth is ADMIN]


def test_no_route_is_in_the_contract_twice() -> None:
    names = [anonymous(route.name) for route in ROUTES]

    assert len(names) == len(set(names))


def test_reversing_an_unknown_name_raises_no_other_error() -> None:
    with pytest.raises(NoReverseMatch):
        reverse("a name that no route has")
