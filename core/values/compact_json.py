"""Compact JSON of our own values, for storing and sending."""

from typing import Any, Final

import msgspec


def encode_json(value: object) -> str:
    """Return the JSON of a value. A `ShownText` is encoded as it is stored, not as it is shown."""
    return _encoder.encode(value).decode()


def _convert(value: Any) -> Any:
    if isinstance(value, str):
        return str.__str__(value)
    raise TypeError(f"{type(value).__name__} has no JSON")


_encoder: Final = msgspec.json.Encoder(enc_hook=_convert)
