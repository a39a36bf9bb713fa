"""Bodies that the ask-AI routes take and answer."""

from typing import ClassVar

from rest_framework import serializers

from accounts.core.http.fields import Filled

QUESTION_MAX = 500


class QuestionInput(serializers.Serializer[None]):
    """Body of a question."""

    example: ClassVar = {"question": "Which devices am I signed in on?"}

    question = Filled(max_length=QUESTION_MAX)


class AnswerOutput(serializers.Serializer[None]):
    """An answer in plain text, and how many records stand behind it."""

    example: ClassVar = {"answer": "value | count\nChrome on macOS | 1\niPhone | 2", "row_count": 2}

    answer = serializers.CharField()
    row_count = serializers.IntegerField()


class WidgetTextsOutput(serializers.Serializer[None]):
    """What the embeddable widget shows."""

    example: ClassVar = {
        "enabled": True,
        "greeting": "Ask about your sessions.",
        "placeholder": "Where am I signed in?",
    }

    enabled = serializers.BooleanField()
    greeting = serializers.CharField(allow_blank=True)
    placeholder = serializers.CharField(allow_blank=True)
