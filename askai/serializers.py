"""Bodies that the ask-AI routes take and answer."""

from rest_framework import serializers

from accounts.core.fields import Text

QUESTION_MAX = 500


class QuestionInput(serializers.Serializer[None]):
    """Body of a question."""

    question = Text(allow_blank=False, max_length=QUESTION_MAX)

    def validate_question(self, question: str) -> str:
        """Refuse what is white space alone."""
        if not question.strip():
            raise serializers.ValidationError("must not be blank.")
        return question


class AnswerOutput(serializers.Serializer[None]):
    """An answer in plain text, and how many records stand behind it."""

    answer = serializers.CharField()
    row_count = serializers.IntegerField()


class WidgetTextsOutput(serializers.Serializer[None]):
    """What the embeddable widget shows."""

    enabled = serializers.BooleanField()
    greeting = serializers.CharField(allow_blank=True)
    placeholder = serializers.CharField(allow_blank=True)
