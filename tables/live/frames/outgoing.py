"""The frames that the server sends over a table's socket: one class for each type."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeAlias
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from games.engine.base import Instant
from tables.play.change import encode


def _part(name: str) -> Meta:
    """A value that is made elsewhere (tables/play/seat_view.py, the game): parts.json has its form."""
    return Meta(extra_json_schema={"$ref": f"#/$defs/{name}"})


Version: TypeAlias = Annotated[int, _part("version")]
Time: TypeAlias = Annotated[int, _part("instant")]
Code: TypeAlias = Annotated[str, _part("code")]
Sentence: TypeAlias = Annotated[str, Meta(min_length=1)]


class _Frame(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    def text(self) -> str:
        return msgspec.json.encode(self).decode()


class Snap(_Frame, frozen=True, tag="snap"):
    """Everything that this person may see of the table, at one version; made by `snap`."""

    epoch: str
    version: Version = msgspec.field(name="v")
    now: Time
    state: Annotated[dict[str, Any], _part("state")]


class Ev(_Frame, frozen=True, tag="ev"):
    """Changes without a gap, oldest first; none: nothing was missed. Made by `ev`."""

    now: Time
    changes: list[Annotated[Any, _part("change")]]


class Ack(_Frame, frozen=True, tag="ack"):
    """The move is stored."""

    id: UUID
    version: Version = msgspec.field(name="v")


class Rej(_Frame, frozen=True, tag="rej"):
    """The move or question is refused, and nothing has changed."""

    id: UUID
    code: Code
    message: Sentence


class Drafted(_Frame, frozen=True, tag="drafted", omit_defaults=True):
    """This revision of what I prepare is stored. `draft` is how my private view has it now, where a
    game has such a key and it has changed."""

    rev: Version
    draft: Any | UnsetType = UNSET


class Answer(_Frame, frozen=True, tag="answer"):
    """The game's answer to a question. Its form belongs to the game and the kind of question."""

    id: UUID
    answer: Annotated[dict[str, Any], _part("answer")]


class Pong(_Frame, frozen=True, tag="pong"):
    """The client's clock as it came, and the server's in milliseconds."""

    clock: float = msgspec.field(name="c")
    now: Time = msgspec.field(name="s")


class Here(_Frame, frozen=True, tag="here"):
    """Seats whose browsers are connected, ascending."""

    seats: Annotated[
        list[Annotated[int, _part("seatNumber")]], Meta(extra_json_schema={"uniqueItems": True})
    ]


class ChatLine(Struct, frozen=True, forbid_unknown_fields=True):
    id: int
    player: int
    phrase: str
    text: str
    at: Time


class Chat(_Frame, frozen=True, tag="chat"):
    """Lines of chat, oldest first."""

    lines: Annotated[list[ChatLine], Meta(min_length=1)]


class Bye(_Frame, frozen=True, tag="bye"):
    """The socket is closed now, and why; the close code says whether to come back."""

    code: Code
    message: str


class Error(_Frame, frozen=True, tag="error"):
    """A frame was refused that has no id to answer to."""

    code: Code
    message: Sentence


FRAMES = (Snap, Ev, Ack, Rej, Drafted, Pong, Error, Bye, Here, Chat, Answer)
Frame: TypeAlias = Ack | Rej | Drafted | Answer | Pong | Here | Chat | Bye | Error


def snap(*, epoch: str, version: int, now: Instant, state: Mapping[str, Any]) -> str:
    """The text of a `Snap`."""
    return encode({"type": "snap", "epoch": epoch, "v": version, "now": now, "state": state})


def ev(*, now: Instant, changes: Sequence[str]) -> str:
    """The text of an `Ev`. The changes are JSON already: most of them go to several sockets."""
    return f'{{"type":"ev","now":{now},"changes":[{",".join(changes)}]}}'
