"""The frames of a table's socket in both directions: one class for each type, which is its parser and its schema.

docs/protocol.schema.json is generated from them (tables/live/schema.py).
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, TypeAlias
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from core.values.compact_json import encode_json
from games.engine.base import Instant

LONGEST_LINE: Final = 500  # of chat, before it is looked at
LARGEST_NUMBER: Final = 2**53  # the largest whole number that every browser keeps exactly

SeenVersion: TypeAlias = Annotated[int, Meta(ge=0, le=LARGEST_NUMBER)]
Amount: TypeAlias = Annotated[int, Meta(ge=0, le=LARGEST_NUMBER)]
Word: TypeAlias = Annotated[str, Meta(max_length=64)]
Line: TypeAlias = Annotated[str, Meta(max_length=LONGEST_LINE)]
Clock: TypeAlias = (
    Annotated[int, Meta(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)]
    | Annotated[float, Meta(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)]
)


class _ClientFrame(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """A client's frame. Every field without a default is required, and unknown fields are refused."""


class Hello(_ClientFrame, frozen=True, tag="hello"):
    """The first frame: the state that the client already has; an empty epoch and version 0 for none."""

    epoch: Word
    version: SeenVersion = msgspec.field(name="v")


class Act(_ClientFrame, frozen=True, tag="act"):
    """A move. The client chooses `id`: a move with the same id is played once, however often it is sent.
    `version` is the newest one that the player had seen.
    """

    id: UUID
    version: SeenVersion = msgspec.field(name="v")
    move: Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": "#/$defs/move"})]


class Draft(_ClientFrame, frozen=True, tag="draft"):
    """The cards I am arranging: a revision and, in rummy, the groups of my hand. Only I see it."""

    rev: SeenVersion
    draft: Annotated[Any, Meta(extra_json_schema={"$ref": "#/$defs/draft"})]


class Ask(_ClientFrame, frozen=True, tag="ask"):
    """A question about my own hand: its kind, and the fields of that kind."""

    id: UUID
    question: Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": "#/$defs/question"})]


class PreActions(_ClientFrame, frozen=True, tag="pre_action"):
    """My pre-actions: a move to play as soon as it is legal (an empty one cancels it), and leaving after the
    match. Null leaves a pre-action unchanged.
    """

    move: Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": "#/$defs/deferred"})] | None
    last_deal: bool | None


class Again(_ClientFrame, frozen=True, tag="again"):
    """I play the next match and add this amount to my stack for it; 0 if my stack suffices."""

    id: UUID
    amount: Amount


class Start(_ClientFrame, frozen=True, tag="start"):
    """I start the next match of a private table, as its host; the players there have agreed to it."""

    id: UUID


class Back(_ClientFrame, frozen=True, tag="back"):
    """I am back: the bot that has played for me returns my seat."""

    id: UUID


class Say(_ClientFrame, frozen=True, tag="say"):
    """A chat line: the code of a phrase, or free text; the other field is empty. Spectators may only send phrases."""

    phrase: Word
    text: Line


class ClientSeed(_ClientFrame, frozen=True, tag="seed"):
    """A player's part of the next deal's seed, for the commitment that they have seen."""

    promise: Word
    seed: Word


class Ping(_ClientFrame, frozen=True, tag="ping"):
    """The client's clock, which is returned with the server's."""

    clock: Clock = msgspec.field(name="c")


class Me(_ClientFrame, frozen=True, tag="me"):
    """Send me messages about my own account and tables over this socket, now and whenever they change."""


ClientFrame: TypeAlias = (
    Hello | Act | Draft | Ask | PreActions | Again | Start | Back | Say | ClientSeed | Ping | Me
)
CLIENT_FRAMES: Final[dict[str, type[Struct]]] = {
    str(kind.__struct_config__.tag): kind
    for kind in (Hello, Act, Draft, Ask, PreActions, Again, Start, Back, Say, ClientSeed, Ping, Me)
}


_NO_CHARACTERS = re.compile("[\x00\ud800-\udfff]")
_decoder = msgspec.json.Decoder(ClientFrame)


class BadFrame(Exception):  # noqa: N818 - an expected refusal
    """The frame violates the protocol; the socket stays open."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def build_too_many() -> BadFrame:
    return BadFrame("too_many_messages", "You are sending too fast.")


def build_unknown_type() -> BadFrame:
    return BadFrame("unknown_type", "There is no message of this type.")


class _Identified(Struct):
    id: UUID


_identified = msgspec.json.Decoder(_Identified)


def find_id(text: str | None) -> UUID | None:
    """Return the id of a frame that was refused, whatever else is wrong with it; None if it has none."""
    try:
        return None if text is None else _identified.decode(text).id
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def parse(text: str | None) -> ClientFrame:
    """Read one frame, or raise BadFrame: not_json, unknown_type, malformed_message."""
    if text is None:
        raise BadFrame("not_json", "Send JSON text.")
    try:
        frame: ClientFrame = _decoder.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise _refusal(text, error) from None
    # NUL and lone surrogates can only appear in JSON as escapes.
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
    if data["type"] not in CLIENT_FRAMES:
        return build_unknown_type()
    return BadFrame("malformed_message", f"{error}.")


def _refuse_constant(name: str) -> None:
    """Refuse NaN and Infinity: Python reads them, but JSON has none."""
    raise ValueError(name)


def _is_storable(data: object) -> bool:
    """Return whether no text contains NUL or a lone surrogate, which cannot be stored or sent."""
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


def _part(name: str) -> Meta:
    """Refers to a value that is built elsewhere (tables/play/seat_view.py, the game); protocol_parts.json
    defines its schema.
    """
    return Meta(extra_json_schema={"$ref": f"#/$defs/{name}"})


Version: TypeAlias = Annotated[int, _part("version")]
Time: TypeAlias = Annotated[int, _part("instant")]
Code: TypeAlias = Annotated[str, _part("code")]
Sentence: TypeAlias = Annotated[str, Meta(min_length=1)]


class _ServerFrame(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    def text(self) -> str:
        return msgspec.json.encode(self).decode()


class Snap(_ServerFrame, frozen=True, tag="snap"):
    """Everything that this person may see of the table, at one version. Built by `render_snap`."""

    epoch: str
    version: Version = msgspec.field(name="v")
    now: Time
    state: Annotated[dict[str, Any], _part("state")]


class Ev(_ServerFrame, frozen=True, tag="ev"):
    """Consecutive changes, oldest first; empty if none were missed. Built by `render_ev`."""

    now: Time
    changes: list[Annotated[Any, _part("change")]]


class Ack(_ServerFrame, frozen=True, tag="ack"):
    """The move, the request for the next match, or the return to a seat was stored."""

    id: UUID
    version: Version = msgspec.field(name="v")


class Rej(_ServerFrame, frozen=True, tag="rej"):
    """The frame with this id is refused, and nothing has changed."""

    id: UUID
    code: Code
    message: Sentence


class Drafted(_ServerFrame, frozen=True, tag="drafted", omit_defaults=True):
    """This revision of my draft is stored. `draft` is my private view of it, if the game has such a key and it
    has changed.
    """

    rev: Version
    draft: Any | UnsetType = UNSET


class Answer(_ServerFrame, frozen=True, tag="answer"):
    """The game's answer to a question. Its form depends on the game and the kind of question."""

    id: UUID
    answer: Annotated[dict[str, Any], _part("answer")]


class Pong(_ServerFrame, frozen=True, tag="pong"):
    """The client's clock as received, and the server's in milliseconds."""

    clock: float = msgspec.field(name="c")
    now: Time = msgspec.field(name="s")


Seats: TypeAlias = Annotated[
    list[Annotated[int, _part("seatNumber")]], Meta(extra_json_schema={"uniqueItems": True})
]


class Here(_ServerFrame, frozen=True, tag="here", omit_defaults=True):
    """Seats whose browsers are connected, ascending; and seats whose players are on another page of the site."""

    seats: Seats
    elsewhere: Seats = msgspec.field(default_factory=list)


class ChatLine(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of a player, or of a spectator, who has a name and a face."""

    id: int
    player: int
    phrase: str
    text: str
    at: Time
    name: str = ""
    face: str = ""


class Chat(_ServerFrame, frozen=True, tag="chat"):
    """Lines of chat, oldest first: players' to players, spectators' to spectators."""

    lines: Annotated[list[ChatLine], Meta(min_length=1)]


class Bye(_ServerFrame, frozen=True, tag="bye"):
    """The socket is being closed, with the reason; the close code tells whether to reconnect."""

    code: Code
    message: str


class Error(_ServerFrame, frozen=True, tag="error"):
    """A frame without an id was refused."""

    code: Code
    message: Sentence


SERVER_FRAMES = (Snap, Ev, Ack, Rej, Drafted, Pong, Error, Bye, Here, Chat, Answer)
ServerFrame: TypeAlias = Ack | Rej | Drafted | Answer | Pong | Here | Chat | Bye | Error


def render_snap(*, epoch: str, version: int, now: Instant, state: Mapping[str, Any]) -> str:
    """Return the text of a `Snap`."""
    snap = {"type": "snap", "epoch": epoch, "v": version, "now": now, "state": state}
    return encode_json(snap)


def render_ev(*, now: Instant, changes: Sequence[str]) -> str:
    """Return the text of an `Ev`. The changes are encoded already: most of them go to several sockets."""
    return f'{{"type":"ev","now":{now},"changes":[{",".join(changes)}]}}'
