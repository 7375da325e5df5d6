"""Frames that play, prepare a move and ask about a hand."""

import asyncio
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from msgspec import UNSET

from core.observability import tracing
from core.observability.metrics import MOVE_SECONDS, MOVES
from core.threads import TooMuchAsked, in_question_thread, in_thread
from tables.live.frames import outgoing
from tables.live.frames.incoming import Act, Ask, Draft, PreActions
from tables.live.limits import QUESTIONS
from tables.play.bots import PreAction, set_pre_action
from tables.play.broadcast import announce
from tables.play.change import Change
from tables.play.move import DraftMove, MoveRequest, Played, play_move
from tables.play.reading import answer_question
from tables.refusals import Refusal, TooManyQuestions

if TYPE_CHECKING:
    from tables.live.consumers import TableConsumer

# A table whose row is blocked holds one thread of this process, not all of them.
_one_at_a_time: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()


async def act(socket: "TableConsumer", frame: Act) -> None:
    with tracing.trace("move", table=socket.table_id):
        await _act(socket, frame)


async def _act(socket: "TableConsumer", frame: Act) -> None:
    request = MoveRequest(
        table_id=socket.table_id,
        user_id=socket.user_id,
        move=frame.move,
        seen_version=frame.version,
        move_id=frame.id,
    )
    began = time.perf_counter()
    played = await _play(socket, request)
    outcome = "played" if played.refusal is None else "refused"
    tracing.tell(outcome=outcome, version=played.version)
    MOVES.labels(outcome).inc()
    MOVE_SECONDS.observe(time.perf_counter() - began)
    if played.refusal is None:
        await socket.deliver(outgoing.Ack(id=frame.id, version=played.version))
    else:
        await socket.refuse(frame, played.refusal)
    await _tell(socket, played.steps)


async def draft(socket: "TableConsumer", frame: Draft) -> None:
    move = DraftMove(rev=frame.rev, draft=frame.draft)
    played = await _play(socket, MoveRequest(socket.table_id, socket.user_id, move))
    if played.refusal is None:
        await socket.deliver(outgoing.Drafted(frame.rev, _kept(played)))
    else:
        await socket.refuse(frame, played.refusal)
    await _tell(socket, played.steps)


def _kept(played: Played) -> Any:
    """Return the saved draft as the player's own view shows it, if it has changed."""
    kept = [step.private.get(str(step.seat), {}).get("draft", UNSET) for step in played.steps]
    return kept[-1] if kept else UNSET


async def ask(socket: "TableConsumer", frame: Ask) -> None:
    """The game reckons on threads of its own, beside the moves."""
    if not QUESTIONS.take(socket.user_id):
        await socket.refuse(frame, TooManyQuestions())
        await socket.count_bad(TooManyQuestions.code)
        return
    try:
        reply = await in_question_thread(
            answer_question,
            table_id=socket.table_id,
            user_id=socket.user_id,
            question=frame.question,
        )
    except TooMuchAsked:
        await socket.refuse(frame, TooManyQuestions())
    except Refusal as refusal:
        await socket.refuse(frame, refusal)
    else:
        await socket.deliver(outgoing.Answer(frame.id, reply))


async def pre_actions(socket: "TableConsumer", frame: PreActions) -> None:
    wanted = PreAction(move=frame.move, last_deal=frame.last_deal)
    place = {"table_id": socket.table_id, "user_id": socket.player}
    try:
        step = await in_thread(set_pre_action, **place, wanted=wanted)
    except Refusal as refusal:
        await socket.refuse(frame, refusal)
    else:
        await _tell(socket, [step])


async def _play(socket: "TableConsumer", request: MoveRequest) -> Played:
    lock = _one_at_a_time.setdefault(socket.table_id, asyncio.Lock())
    async with lock:
        return await in_thread(play_move, request)


async def _tell(socket: "TableConsumer", steps: Sequence[Change]) -> None:
    """Tell everybody, this player first, as their private part is at hand."""
    for step in steps:
        if step.version is not None:
            await socket.deliver_step(step)
    await announce(steps)
