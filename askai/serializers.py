"""Bodies of requests to the ask-AI routes."""

from typing import ClassVar

from rest_framework import serializers

from accounts.core.http.fields import Filled

QUESTION_MAX = 500


class QuestionInput(serializers.Serializer[None]):
    """The question to answer."""

    example: ClassVar = {"question": "Which devices am I signed in on?"}

    question = Filled(max_length=QUESTION_MAX)
