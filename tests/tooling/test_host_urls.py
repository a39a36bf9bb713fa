"""`gatehouse.urls`, which a host project includes."""

from collections.abc import Sequence

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from gatehouse import urls

pytestmark = pytest.mark.once


def routes_of(patterns: Sequence[URLPattern | URLResolver]) -> list[str]:
    return [str(route.pattern) for route in patterns]


def test_one_include_has_the_routes_of_the_standalone_project() -> None:
    everything = get_resolver("config.urls").url_patterns
    api, *_ = (route for route in everything if isinstance(route, URLResolver))
    first_page, every_other_path, probes = "", r"^[\s\S]*\Z", ("livez", "readyz")

    assert routes_of(api.url_patterns) == routes_of(urls.api_patterns)
    assert sorted(routes_of(everything)) == sorted(
        [*routes_of(urls.urlpatterns), first_page, every_other_path, *probes]
    )
