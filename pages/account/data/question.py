"""The room of questions about the own account, which ask-AI answers. The act is that of `POST /v1/ask-ai`."""

from collections.abc import Mapping, Sequence

from django.http import HttpResponse
from django.utils.translation import gettext
from rest_framework import serializers

from accounts.errors import EmailNotVerified
from askai.answers.examples import examples
from askai.ask import Question, ask
from askai.errors import AskAiUnavailable, AskAiWidgetDisabled, QuestionNotAnswerable
from askai.plans.entities import bindable
from askai.plans.plan import Language
from askai.serializers import QUESTION_MAX
from askai.settings.stored import Widget
from askai.settings.widget import find_configured, get_settings
from core.errors import NotConfigured
from core.http.call import Call
from core.http.fields import NonBlankText
from core.http.limits import by_caller, by_network
from core.http.view import operation
from core.ratelimit import Limit

from ..page import AccountPage


class QuestionForm(serializers.Serializer[None]):
    """The question."""

    question = NonBlankText(max_length=QUESTION_MAX)


class Ask(AccountPage):
    """A question in the person's own words, and its answer as a sentence and rows."""

    room = "authsvc-account-ask"
    template = "authsvc_pages/account/ask.html"
    widget: Widget

    def check_feature(self) -> None:
        """Raise NotConfigured or AskAiWidgetDisabled when people may not ask."""
        widget = find_configured()
        if widget is None:
            raise NotConfigured
        if not widget.enabled:
            raise AskAiWidgetDisabled
        self.widget = widget

    def context(self, call: Call) -> Mapping[str, object]:
        """Return the texts of the widget, and questions that work."""
        return {
            "greeting": self.widget.greeting,
            "placeholder": self.widget.placeholder,
            "examples": self.examples(),
            "longest": QUESTION_MAX,
        }

    def examples(self) -> Sequence[str]:
        """Return five questions in the language of the page."""
        return examples(language=Language(self.language), entities=bindable(self.widget.entities))

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the page."""
        return self.render(self.context(call))

    @operation(input=QuestionForm, output=HttpResponse, limits=(by_caller(Limit.ASK_AI), by_network(Limit.ASK_AI_IP)))
    def post(self, call: Call) -> HttpResponse:
        """Answer the question. It is in no URL, so no log contains it."""
        llm, database = get_settings()
        text = call.body["question"]
        try:
            answer = ask(
                question=Question(text=text, zone=self.find_zone(self.request), language=Language(self.language)),
                caller=call.signed_in,
                widget=self.widget,
                llm=llm,
                database=database,
                now=call.now,
            )
        except QuestionNotAnswerable:
            message = gettext("This question has no answer here. Try one of the examples, or ask with other words.")
            return self.refuse_input(call, status=422, question=message)
        except EmailNotVerified:
            return self.refuse_input(call, status=403, question=gettext("Confirm your e-mail address first."))
        except AskAiUnavailable as error:
            return self.refuse(call, error, "question")
        return self.render({**self.context(call), "asked": text, "answer": answer})
