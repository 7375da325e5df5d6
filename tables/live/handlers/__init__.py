"""The handlers of frames: one for each type, called with the socket and the frame."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from tables.live.frames.incoming import (
    Act,
    Ask,
    ClientSeed,
    Draft,
    Hello,
    Me,
    Ping,
    PreActions,
    Say,
)
from tables.live.handlers import connection, moves, talk

Handler = Callable[[Any, Any], Awaitable[None]]
HANDLERS: Final[Mapping[type, Handler]] = {
    Hello: connection.hello,
    Ping: connection.ping,
    Me: connection.me,
    Act: moves.act,
    Draft: moves.draft,
    Ask: moves.ask,
    PreActions: moves.pre_actions,
    Say: talk.say_line,
    ClientSeed: talk.client_seed,
}
