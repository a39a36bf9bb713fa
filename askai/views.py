"""Routes of the askai app. Web pages may call them if the widget setting lists the origin of the page."""

from contextlib import suppress
from datetime import datetime
from http import HTTPStatus
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.functional import cached_property

from accounts.errors import EmailNotVerified
from accounts.state.lookup import get_own_account
from core.errors import NotConfigured
from core.http.call import Call
from core.http.limits import by_caller, by_network
from core.http.view import Auth, Operation, ServiceView, operation
from core.keys import jwt
from core.ratelimit import Limit

from .answers.answer import Answer
from .answers.examples import examples
from .ask import Question, ask
from .errors import (
    AskAiUnavailable,
    AskAiWidgetDisabled,
    InvalidQuestion,
    OriginNotAllowed,
    QuestionNotAnswerable,
)
from .plans.entities import bindable
from .plans.plan import Language
from .serializers import QuestionInput, WidgetQuery
from .settings.stored import Widget
from .settings.widget import WidgetTexts, find_configured, get_settings, is_available, is_origin_allowed

ALLOWED_HEADERS = "Authorization, Content-Type, X-Request-ID"
EXPOSED_HEADERS = "Retry-After, X-Request-ID"


class _CrossOriginView(ServiceView):
    """A route whose responses, including errors, a web page of an allowed origin may read."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = super().dispatch(request, *args, **kwargs)
        if is_available():
            patch_vary_headers(response, ["Origin"])
        # The response may report an outage of the database. A second failure must not replace that response.
        with suppress(DatabaseError):
            if (
                self.origin is not None
                and self.widget is not None
                and is_origin_allowed(self.origin, widget=self.widget)
            ):
                response.headers["Access-Control-Allow-Origin"] = self.origin
                response.headers["Access-Control-Expose-Headers"] = EXPOSED_HEADERS
        return response

    @cached_property
    def widget(self) -> Widget | None:
        """The widget setting; None when it is not stored or the deployment cannot have the feature."""
        return find_configured()

    @property
    def origin(self) -> str | None:
        """The Origin header. Only browsers send it."""
        return self.request.headers.get("Origin")

    def get_widget(self) -> Widget:
        """Return the widget setting. Raises NotConfigured when `widget` is None."""
        if self.widget is None:
            raise NotConfigured
        return self.widget

    def check_origin(self) -> None:
        """Raise OriginNotAllowed for a request from a page whose origin the widget setting does not allow."""
        if not is_origin_allowed(self.origin, widget=self.get_widget()):
            raise OriginNotAllowed


class _Preflight(_CrossOriginView):
    """Answers the preflight request of a browser. Such a request contains no access token."""

    auth = Auth.PUBLIC
    schema = None
    allow: ClassVar[str] = ""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = super().dispatch(request, *args, **kwargs)
        if response.status_code == HTTPStatus.NO_CONTENT:
            # RFC 9110, section 8.6: a response with status 204 has no Content-Length.
            del response.headers["Content-Length"], response.headers["Content-Type"]
        return response

    def operation_of(self, request: HttpRequest) -> Operation:
        """Return the operation `permit` for every method."""
        return Operation(handler="permit")

    def permit(self, call: Call) -> HttpResponse:
        """Return the permitted methods and headers. Raises NotConfigured or OriginNotAllowed."""
        self.check_origin()
        headers = {"Access-Control-Allow-Methods": self.allow, "Access-Control-Allow-Headers": ALLOWED_HEADERS}
        return HttpResponse(status=HTTPStatus.NO_CONTENT, headers=headers)


class _WidgetView(_CrossOriginView):
    """A route that the widget calls."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
            response: HttpResponseBase = _Preflight.as_view(allow=", ".join(sorted(self.operations)))(request)
            return response
        return super().dispatch(request, *args, **kwargs)

    def authenticate(self, request: HttpRequest, *, now: datetime) -> jwt.Caller | None:
        """Return the caller. Raises InvalidAccessToken for a deleted account, because its events may still be stored."""
        caller = super().authenticate(request, now=now)
        if caller is not None:
            get_own_account(user_id=caller.user_id)
        return caller


class AskAi(_WidgetView):
    """Ask about your own account."""

    def check_feature(self) -> None:
        """Raise NotConfigured, AskAiWidgetDisabled or OriginNotAllowed when the service accepts no question."""
        if not self.get_widget().enabled:
            raise AskAiWidgetDisabled
        self.check_origin()
        self.llm, self.database = get_settings()

    @operation(
        input=QuestionInput,
        input_error=InvalidQuestion,
        output=Answer,
        errors=(
            NotConfigured,
            AskAiWidgetDisabled,
            OriginNotAllowed,
            EmailNotVerified,
            QuestionNotAnswerable,
            AskAiUnavailable,
        ),
        limits=(by_caller(Limit.ASK_AI), by_network(Limit.ASK_AI_IP)),
    )
    def post(self, call: Call) -> Answer:
        """Answer a question about the caller's own sessions and audit events.

        The answer is plain text: a line of column names, then one line for each record. The same question over the same
        data gives the same text.
        """
        return ask(
            question=Question(
                text=call.body["question"],
                zone=ZoneInfo(call.body.get("time_zone", "UTC")),
                language=Language(language) if (language := call.body.get("language")) else None,
            ),
            caller=call.signed_in,
            widget=self.get_widget(),
            llm=self.llm,
            database=self.database,
            now=call.now,
        )


class GetWidgetTexts(_WidgetView):
    """Show the texts of the widget."""

    def check_feature(self) -> None:
        """Raise NotConfigured or OriginNotAllowed."""
        self.check_origin()

    @operation(query=WidgetQuery, output=WidgetTexts, errors=(NotConfigured, OriginNotAllowed))
    def get(self, call: Call) -> WidgetTexts:
        """Return the texts that the widget shows, and whether users may ask questions."""
        widget = self.get_widget()
        return WidgetTexts(
            enabled=widget.enabled,
            greeting=widget.greeting,
            placeholder=widget.placeholder,
            examples=examples(
                language=Language(call.query.get("language", Language.EN)), entities=bindable(widget.entities)
            ),
        )
