"""The steps of pages that ask for a second factor. Each registered factor brings its own step."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from core.errors import NotFound
from core.http.view import Operation
from pages.frame.forms import NextForm
from sessions_app.logins.second_factors import PageStep, SecondFactor, second_factors

from .page import ConsolePage


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownStep:
    """A step on a page: its template, and the path to which its form posts."""

    template: str
    action: str


def shown_steps(factors: Iterable[SecondFactor], *, route: str) -> Sequence[ShownStep]:
    """Return the steps of the factors that have one. `route` is the name of the route that takes the forms."""
    return [
        ShownStep(template=factor.page_step.template, action=reverse(route, args=[factor.name]))
        for factor in factors
        if factor.page_step is not None
    ]


class StepPage(ConsolePage):
    """A page that takes the form of the factor in its path."""

    def step(self) -> PageStep:
        """Return the step of the factor. Raises NotFound when no factor with this name has a step."""
        for factor in second_factors:
            if factor.name == self.kwargs["factor"] and factor.page_step is not None:
                return factor.page_step
        raise NotFound

    def read_body(self, request: HttpRequest, declared: Operation) -> Mapping[str, Any]:
        """Return the fields of the page and those of the step."""
        # DRF reads the fields from both base classes.
        form: Any = type("StepForm", (NextForm if declared.input is None else declared.input, self.step().form), {})
        return super().read_body(request, replace(declared, input=form))
