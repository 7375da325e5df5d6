"""The messages of a table's socket, as docs/protocol.md defines them.

What a browser sends is read into one class for each type; anything else is a `BadMessage`.
"""

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias
from uuid import UUID

from tables.compact_json import encode
from tables.games.base import Instant

LONGEST_TEXT = 500  # of a line of chat, before it is looked at
_NO_CHARACTERS = re.compile("[\x00\ud800-\udfff]")
MAX_VERSION = 2**53  # the largest whole number that every browser keeps exactly


class BadMessage(Exception):  # noqa: N818 - an expected refusal
    """The frame is no message of the protocol; the socket stays open."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def too_many() -> BadMessage:
    return BadMessage("too_many_messages", "You are sending too fast.")


def unknown_type() -> BadMessage:
    return BadMessage("unknown_type", "There is no message of this type.")


@dataclass(frozen=True, slots=True)
class Hello:
    epoch: str
    version: int


@dataclass(frozen=True, slots=True)
class Act:
    id: UUID
    version: int
    move: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Arrange:
    rev: int
    groups: Sequence[Any]


@dataclass(frozen=True, slots=True)
class Solve:
    """Lay my hand out at its least count, and save that as this revision of my groups."""

    id: UUID
    rev: int


@dataclass(frozen=True, slots=True)
class Judge:
    """How would these groups be judged if I declared them?"""

    id: UUID
    groups: Sequence[Any]


@dataclass(frozen=True, slots=True)
class Ping:
    clock: float


@dataclass(frozen=True, slots=True)
class Wishes:
    """None leaves a wish as it is."""

    drop: bool | None
    last_deal: bool | None


@dataclass(frozen=True, slots=True)
class Say:
    """One of both is empty."""

    phrase: str
    text: str


@dataclass(frozen=True, slots=True)
class ClientSeed:
    """A player's part of the next deal's seed, for the promise that he has seen."""

    promise: str
    seed: str


@dataclass(frozen=True, slots=True)
class Me:
    """Tell me over this socket what concerns me alone, now and whenever it changes."""


Message: TypeAlias = Me | Hello | Act | Arrange | Solve | Judge | Wishes | Say | ClientSeed | Ping


def parse(text: str | None) -> Message:
    """Read one frame, or raise BadMessage: not_json, unknown_type, malformed_message."""
    if text is None:
        raise BadMessage("not_json", "Send JSON text.")
    try:
        data = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise BadMessage("not_json", "Send JSON text.") from None
    # Neither can stand in a text but as an escape.
    if "\\u" in text and not _is_storable(data):
        raise BadMessage("malformed_message", "A text holds what is no character.")
    if not isinstance(data, dict) or not isinstance(data.get("type"), str):
        raise BadMessage("malformed_message", 'Send an object with a "type".')
    reader = _READERS.get(data["type"])
    if reader is None:
        raise unknown_type()
    fields, read = reader
    if set(data) != {"type", *fields}:
        expected = ", ".join(("type", *fields))
        raise BadMessage("malformed_message", f"This message has exactly the fields {expected}.")
    return read(data)


def _refuse_constant(name: str) -> None:
    """NaN and Infinity are Python's own; JSON has none."""
    raise ValueError(name)


def _is_storable(data: object) -> bool:
    """Whether no text in it holds a NUL or half a character, which nothing can store or send."""
    waiting = [data]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, list):
            waiting += one
        elif isinstance(one, str) and _NO_CHARACTERS.search(one):
            return False
    return True


def _hello(data: Mapping[str, Any]) -> Hello:
    return Hello(_text(data["epoch"]), _version(data["v"]))


def _act(data: Mapping[str, Any]) -> Act:
    if not isinstance(data["move"], dict):
        raise BadMessage("malformed_message", '"move" must be an object.')
    return Act(_id(data["id"]), _version(data["v"]), data["move"])


def _arrange(data: Mapping[str, Any]) -> Arrange:
    return Arrange(_version(data["rev"]), _groups(data["groups"]))


def _solve(data: Mapping[str, Any]) -> Solve:
    return Solve(_id(data["id"]), _version(data["rev"]))


def _judge(data: Mapping[str, Any]) -> Judge:
    return Judge(_id(data["id"]), _groups(data["groups"]))


def _wish(data: Mapping[str, Any]) -> Wishes:
    drop, last_deal = data["drop"], data["last_deal"]
    if not all(wish is None or isinstance(wish, bool) for wish in (drop, last_deal)):
        raise BadMessage("malformed_message", "A wish is true, false or null.")
    return Wishes(drop, last_deal)


def _say(data: Mapping[str, Any]) -> Say:
    phrase, text = data["phrase"], data["text"]
    if not isinstance(phrase, str) or not isinstance(text, str) or len(text) > LONGEST_TEXT:
        raise BadMessage("malformed_message", "A phrase and a text are wanted, one of them empty.")
    return Say(_text(phrase), text)


def _seed(data: Mapping[str, Any]) -> ClientSeed:
    return ClientSeed(_text(data["promise"]), _text(data["seed"]))


def _ping(data: Mapping[str, Any]) -> Ping:
    clock = data["c"]
    if isinstance(clock, bool) or not isinstance(clock, int | float):
        raise BadMessage("malformed_message", '"c" must be a number.')
    if not -MAX_VERSION <= clock <= MAX_VERSION:  # 1e400 is read as infinite
        raise BadMessage("malformed_message", '"c" is too large.')
    return Ping(clock)


def _id(value: object) -> UUID:
    try:
        return UUID(_text(value))
    except ValueError:
        raise BadMessage("malformed_message", '"id" must be a UUID.') from None


def _groups(value: object) -> Sequence[Any]:
    if not isinstance(value, list):
        raise BadMessage("malformed_message", '"groups" must be a list.')
    return value


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > 64:  # noqa: PLR2004 - longer than any of ours
        raise BadMessage("malformed_message", "A text is missing or too long.")
    return value


def _version(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_VERSION:
        raise BadMessage("malformed_message", "A version must be a whole number from 0.")
    return value


_READERS: Mapping[str, tuple[tuple[str, ...], Callable[[Mapping[str, Any]], Message]]] = {
    "hello": (("epoch", "v"), _hello),
    "act": (("id", "v", "move"), _act),
    "arrange": (("rev", "groups"), _arrange),
    "solve": (("id", "rev"), _solve),
    "judge": (("id", "groups"), _judge),
    "seed": (("promise", "seed"), _seed),
    "say": (("phrase", "text"), _say),
    "wish": (("drop", "last_deal"), _wish),
    "ping": (("c",), _ping),
    "me": ((), lambda _data: Me()),
}


def snap(*, epoch: str, version: int, now: Instant, state: Mapping[str, Any]) -> str:
    return _frame(type="snap", epoch=epoch, v=version, now=now, state=state)


def ev(*, now: Instant, changes: Sequence[str]) -> str:
    """Changes that are JSON already: most of them go to several sockets."""
    return f'{{"type":"ev","now":{now},"changes":[{",".join(changes)}]}}'


def ack(*, move_id: UUID, version: int) -> str:
    return _frame(type="ack", id=str(move_id), v=version)


def rej(*, move_id: UUID, code: str, message: str) -> str:
    return _frame(type="rej", id=str(move_id), code=code, message=message)


def arranged(*, rev: int) -> str:
    return _frame(type="arranged", rev=rev)


def solved(*, request_id: UUID, rev: int, groups: object) -> str:
    return _frame(type="solved", id=str(request_id), rev=rev, groups=groups)


def verdict(*, request_id: UUID, verdict: Mapping[str, Any]) -> str:
    return _frame(type="verdict", id=str(request_id), **verdict)


def pong(*, clock: float, now: Instant) -> str:
    return _frame(type="pong", c=clock, s=now)


def here(*, seats: Collection[int]) -> str:
    return _frame(type="here", seats=sorted(seats))


def chat(*, lines: Sequence[Mapping[str, Any]]) -> str:
    return _frame(type="chat", lines=lines)


def bye(*, code: str, message: str) -> str:
    return _frame(type="bye", code=code, message=message)


def error(*, code: str, message: str) -> str:
    return _frame(type="error", code=code, message=message)


def _frame(**fields: Any) -> str:
    return encode(fields)
