"""From the text of a frame to its class, or to the reason why it is none."""

import json
import re

import msgspec

from tables.live.frames.incoming import FRAMES, Frame

_NO_CHARACTERS = re.compile("[\x00\ud800-\udfff]")
_decoder = msgspec.json.Decoder(Frame)


class BadFrame(Exception):  # noqa: N818 - an expected refusal
    """The frame is none of the protocol; the socket stays open."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def too_many() -> BadFrame:
    return BadFrame("too_many_messages", "You are sending too fast.")


def unknown_type() -> BadFrame:
    return BadFrame("unknown_type", "There is no message of this type.")


def parse(text: str | None) -> Frame:
    """Read one frame, or raise BadFrame: not_json, unknown_type, malformed_message."""
    if text is None:
        raise BadFrame("not_json", "Send JSON text.")
    try:
        frame: Frame = _decoder.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise _refusal(text, error) from None
    # Neither a NUL nor half a character can stand in a text but as an escape.
    if "\\u" in text and not _is_storable(json.loads(text)):
        raise BadFrame("malformed_message", "A text holds what is no character.")
    return frame


def _refusal(text: str, error: Exception) -> BadFrame:
    try:
        data = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return BadFrame("not_json", "Send JSON text.")
    if not isinstance(data, dict) or not isinstance(data.get("type"), str):
        return BadFrame("malformed_message", 'Send an object with a "type".')
    if data["type"] not in FRAMES:
        return unknown_type()
    return BadFrame("malformed_message", f"{error}.")


def _refuse_constant(name: str) -> None:
    """NaN and Infinity are Python's own; JSON has none."""
    raise ValueError(name)


def _is_storable(data: object) -> bool:
    """Return whether no text in it holds a NUL or half a character, which cannot be stored or sent."""
    waiting = [data]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, str) and _NO_CHARACTERS.search(value):
            return False
    return True
