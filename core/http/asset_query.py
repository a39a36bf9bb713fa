"""The query of a request for a static file."""

from rest_framework import serializers

from .fields import QUERY_MAX, Text


class AssetQuery(serializers.Serializer[None]):
    """Query of a request for a file: the version of the file."""

    v = Text(default="", max_length=QUERY_MAX)
