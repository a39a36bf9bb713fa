"""Bodies of requests to the ask-AI routes."""

from typing import ClassVar

from rest_framework import serializers

from core.http.fields import NonBlankText

QUESTION_MAX = 500


class QuestionInput(serializers.Serializer[None]):
    """The question to answer."""

    example: ClassVar = {"question": "Which devices am I signed in on?"}

    question = NonBlankText(max_length=QUESTION_MAX)
