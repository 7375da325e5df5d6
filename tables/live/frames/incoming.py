"""The frames that a client may send: one class for each type, which is its parser and its schema."""

from typing import Annotated, Any, Final, TypeAlias
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

LONGEST_LINE: Final = 500  # of chat, before it is looked at
LARGEST_NUMBER: Final = 2**53  # the largest whole number that every browser keeps exactly

Version: TypeAlias = Annotated[int, Meta(ge=0, le=LARGEST_NUMBER)]
Word: TypeAlias = Annotated[str, Meta(max_length=64)]
Line: TypeAlias = Annotated[str, Meta(max_length=LONGEST_LINE)]
Clock: TypeAlias = (
    Annotated[int, Meta(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)]
    | Annotated[float, Meta(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)]
)


class _Frame(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Every field has to be there, and no other one."""


class Hello(_Frame, frozen=True, tag="hello"):
    """The first frame: what this client has seen; an empty epoch and version 0 for nothing."""

    epoch: Word
    version: Version = msgspec.field(name="v")


class Act(_Frame, frozen=True, tag="act"):
    """A move. `id` is chosen by the client: the same one is played once, however often it comes.
    `version` is the newest one that the player had seen."""

    id: UUID
    version: Version = msgspec.field(name="v")
    move: Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": "#/$defs/move"})]


class Draft(_Frame, frozen=True, tag="draft"):
    """The cards I am arranging: a revision and, in rummy, the groups of my hand. Only I see it."""

    rev: Version
    draft: Annotated[Any, Meta(extra_json_schema={"$ref": "#/$defs/draft"})]


class Ask(_Frame, frozen=True, tag="ask"):
    """A question about my own hand: its kind, and what that kind needs."""

    id: UUID
    question: Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": "#/$defs/question"})]


class PreActions(_Frame, frozen=True, tag="wish"):
    """My requests for later: a move as soon as it is legal (an empty one cancels it), and to leave
    after the match. Null leaves a request as it is."""

    move: Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": "#/$defs/deferred"})] | None
    last_deal: bool | None


class Say(_Frame, frozen=True, tag="say"):
    """Talk: the code of a phrase, or words. One of both is empty."""

    phrase: Word
    text: Line


class ClientSeed(_Frame, frozen=True, tag="seed"):
    """A player's part of the next deal's seed, for the promise that they have seen."""

    promise: Word
    seed: Word


class Ping(_Frame, frozen=True, tag="ping"):
    """The client's clock, which comes back with the server's."""

    clock: Clock = msgspec.field(name="c")


class Me(_Frame, frozen=True, tag="me"):
    """Tell me over this socket what concerns me alone, now and whenever it changes."""


Frame: TypeAlias = Hello | Act | Draft | Ask | PreActions | Say | ClientSeed | Ping | Me
FRAMES: Final[dict[str, type[Struct]]] = {
    str(kind.__struct_config__.tag): kind
    for kind in (Hello, Act, Draft, Ask, PreActions, Say, ClientSeed, Ping, Me)
}
