"""The base of the service's pages in Django's admin. They only show rows.

Import this module only from the `admin` modules of the apps: Django imports those only when the site has an admin.
"""

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.core.paginator import Paginator
from django.db import models
from django.http import HttpRequest

from ..conf import admin_settings

LISTED_MAX = 10_000

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
    Pages = Paginator[Any]
else:
    # Only the stubs of these classes take a parameter.
    ModelAdmin = admin.ModelAdmin
    Pages = Paginator


def show(model: type[models.Model]) -> Callable[[type[ModelAdmin]], type[ModelAdmin]]:
    """Return a decorator that registers the class for the model, unless DJANGO_ADMIN is off."""

    def register(model_admin: type[ModelAdmin]) -> type[ModelAdmin]:
        if admin_settings().is_shown:
            admin.site.register(model, model_admin)
        return model_admin

    return register


class BoundedPaginator(Pages):
    """Pages of the first LISTED_MAX rows. A count of all rows would read the whole table."""

    @cached_property
    def count(self) -> int:
        """The number of rows, at most LISTED_MAX."""
        rows: Any = self.object_list
        return int(rows.order_by()[:LISTED_MAX].count())


class FixedOrder(ChangeList):
    """A list in the order of an index. The address of the list cannot select another order."""

    def get_ordering(self, request: HttpRequest, queryset: models.QuerySet[Any]) -> list[Any]:
        return list(self.model_admin.get_ordering(request))


class ReadOnlyAdmin(ModelAdmin):
    """Pages that show the rows of a model to staff with Django's view permission, the newest first.

    `fields` names each column that the pages may show. `find()` finds rows by an exact value with an index.
    """

    ordering: ClassVar[tuple[str, ...]] = ("-pk",)
    sortable_by = ()
    paginator = BoundedPaginator
    show_full_result_count = False
    # Django shows the search field only when this list has an entry. `get_search_results` does not read it.
    search_fields = ("pk",)

    def find(self, text: str) -> models.Q:
        """Return the condition of the rows that a search for the text finds."""
        raise NotImplementedError

    def get_search_results(
        self, request: HttpRequest, queryset: models.QuerySet[Any], search_term: str
    ) -> tuple[models.QuerySet[Any], bool]:
        """Return the rows that `find()` finds; all rows when the term is blank."""
        term = search_term.strip()
        return (queryset.filter(self.find(term)) if term else queryset), False

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """Permit only the filters of the list. Other lookups could search for digests, or read the whole table."""
        filters: Iterable[Any] = self.list_filter
        return lookup in {one.parameter_name for one in filters}

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return FixedOrder

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Permit the deletion only together with a user, on the user's page.

        Django asks about each row that goes with the user. A refusal would keep the site's staff from deleting users.
        """
        own = f"{self.opts.app_label}_{self.opts.model_name}_"
        match = request.resolver_match
        return obj is not None and match is not None and not (match.url_name or "").startswith(own)


class ChoiceFilter(admin.SimpleListFilter):
    """A filter for one value of a column with an index. Unlike Django's own, it does not read the column's values."""

    values: Iterable[str]

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the values, which are their own labels."""
        return [(value, value) for value in map(str, self.values)]

    def queryset(self, request: HttpRequest, queryset: models.QuerySet[Any]) -> models.QuerySet[Any]:
        """Return the rows with the selected value; all rows when none is selected."""
        return queryset.filter(**{self.parameter_name or "": self.value()}) if self.value() else queryset
