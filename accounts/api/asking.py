"""What a request asks for."""

from typing import Any

from rest_framework.serializers import Serializer


def asked(kind: type[Serializer[Any]], data: Any) -> dict[str, Any]:
    """The checked values of a body or of an address's query; raises ValidationError."""
    serializer = kind(data=data)
    serializer.is_valid(raise_exception=True)
    values: dict[str, Any] = serializer.validated_data
    return values
