"""One socket at one table: a player's or a spectator's."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any
from uuid import UUID
from weakref import WeakValueDictionary

from django.conf import settings

from accounts import log_context
from accounts.measures import MOVE_SECONDS, MOVES
from tables import database_clock, messages, presence
from tables.broadcast import announce, announce_line, group_of, group_of_player, players_of
from tables.delayed_view import snapshot_for
from tables.help import verdict
from tables.locks import Step
from tables.messages import (
    Act,
    Arrange,
    BadMessage,
    ClientSeed,
    Hello,
    Judge,
    Ping,
    Say,
    Solve,
    Wishes,
)
from tables.refusals import NotSeated, ProgramsNotAdmitted, Refusal, TableNotFound
from tables.seat_view import change_json
from tables.selectors import admits_programs, changes_since, chat_for, standing
from tables.services.chat import Line, say
from tables.services.help import arrange_best
from tables.services.play import MoveRequest, Played, play_move
from tables.services.seeds import add_client_seed
from tables.services.wishes import Wish, set_wish
from tables.sockets import (
    NOT_ADMITTED,
    NOT_FOUND,
    TAKEN_OVER,
    TOO_MANY_MESSAGES,
    GameConsumer,
)
from tables.threads import in_thread
from tables.version_watch import watch

BAD_MESSAGES_ALLOWED = 20

# A table whose row is blocked holds one thread of this process, not all of them.
_one_at_a_time: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()


class TableConsumer(GameConsumer):
    """Delivers every version of the table once and in order, each as this seat may see it."""

    async def connect(self) -> None:
        user = self.scope["user"]
        self.user_id = None if user is None else user.pk  # None: a spectator without an account
        self.table_id = int(self.scope["url_route"]["kwargs"]["table_id"])
        log_context.bind(table=self.table_id, user=self.user_id)
        self.seat: int | None = None
        self.version: int | None = None  # the last one delivered; None before the first hello
        self.bad_messages = 0
        self.present: frozenset[int] | None = None  # as this socket was told last
        self.shown: Mapping[str, Any] | None = None  # to somebody without a seat
        # When this connection began to play for its player, to compare with his others.
        self.claim: list[int | str] | None = None
        self.is_taken_over = False
        self.ignored: frozenset[int] = frozenset()
        self.delivering = asyncio.Lock()
        self.is_turned_away = False
        await self.accept()
        if self.scope.get("token_id") and not await self._admits_this_program():
            return
        # In the group before the state is read, so that nothing falls between the two.
        for group in self._groups():
            await self.channel_layer.group_add(group, self.channel_name)
        watch.add(self.table_id, self)

    def _groups(self) -> list[str]:
        groups = [group_of(self.table_id)]
        if self.user_id is not None:
            groups.append(group_of_player(self.table_id, self.user_id))
        return groups

    async def part_from_table(self) -> None:
        watch.remove(self.table_id, self)
        for group in self._groups():
            await self.channel_layer.group_discard(group, self.channel_name)
        if self.seat is not None and not self.is_taken_over:
            await presence.gone(self.table_id, self.seat, self.channel_name)

    async def _admits_this_program(self) -> bool:
        admits = await in_thread(admits_programs, self.table_id)
        if not admits:
            self.is_turned_away = True
            close_code, refusal = (
                (NOT_FOUND, TableNotFound())
                if admits is None
                else (NOT_ADMITTED, ProgramsNotAdmitted())
            )
            await self._part(close_code, refusal.code, str(refusal.sentence))
        return bool(admits)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.is_turned_away:
            return  # frames that were on their way
        try:
            self.count_message()
            message = messages.parse(text_data)
        except BadMessage as bad:
            await self._refuse_frame(bad)
            return
        self._is_heard()
        await self._handlers[type(message)](self, message)

    def _is_heard(self) -> None:
        """Whatever the browser sends shows that it is there."""
        if self.seat is not None and not self.is_taken_over:
            presence.heard(self.table_id, self.seat, self.channel_name)

    async def _refuse_frame(self, bad: BadMessage) -> None:
        self.bad_messages += 1
        await self.deliver(messages.error(code=bad.code, message=bad.message))
        if self.bad_messages > BAD_MESSAGES_ALLOWED:
            await self._part(TOO_MANY_MESSAGES, bad.code, "Too many messages were refused.")

    async def _part(self, close_code: int, code: str, message: str) -> None:
        await self.deliver(messages.bye(code=code, message=message))
        await self.close(code=close_code)

    # --- what the browser sends -------------------------------------------------------------------

    async def _hello(self, hello: Hello) -> None:
        """Bring this socket up to date: with the missing changes, or with everything."""
        async with self.delivering:
            place = await in_thread(standing, table_id=self.table_id, user_id=self.user_id)
            if place is None:
                await self._part(NOT_FOUND, "table_not_found", "There is no such table.")
                return
            self.seat = place.seat
            knows_it = hello.epoch == place.epoch and hello.version <= place.version
            if knows_it and not self._is_delayed:
                self.version = hello.version
                await self._send_missing(even_if_none=True)
            else:
                await self._send_snapshot()
            self.present = None
        await self._take_over()
        await self._send_chat()

    @property
    def _is_delayed(self) -> bool:
        """Who has no seat is shown the game late (tables/delayed_view.py)."""
        return self.seat is None and settings.SPECTATOR_DELAY_SECONDS > 0

    async def _take_over(self) -> None:
        """A player's newest connection is the one that plays; the ones before it are told so."""
        if self.seat is None or self.user_id is None:
            return
        presence.heard(self.table_id, self.seat, self.channel_name)
        await presence.write([self.table_id])
        if self.claim is not None:
            return
        self.claim = [database_clock.now(), self.channel_name]
        await self.channel_layer.group_send(
            group_of_player(self.table_id, self.user_id),
            {"type": "table.taken_over", "claim": self.claim},
        )

    async def table_taken_over(self, message: dict[str, Any]) -> None:
        # A connection without a claim has yet to say hello, and will then take over itself.
        if self.seat is None or self.claim is None or message["claim"] <= self.claim:
            return
        self.is_taken_over = True
        text = "You have opened this table somewhere else. It goes on there."
        await self._part(TAKEN_OVER, "taken_over", text)

    async def _act(self, act: Act) -> None:
        request = MoveRequest(
            table_id=self.table_id,
            user_id=self.user_id,
            move=act.move,
            seen_version=act.version,
            move_id=act.id,
        )
        began = time.perf_counter()
        played = await self._play(request)
        MOVES.labels("played" if played.refusal is None else "refused").inc()
        MOVE_SECONDS.observe(time.perf_counter() - began)
        if played.refusal is None:
            await self.deliver(messages.ack(move_id=act.id, version=played.version))
        else:
            await self._reject(act.id, played.refusal)
        await self._tell(played.steps)

    async def _arrange(self, arrange: Arrange) -> None:
        move = {"kind": "arrange", "rev": arrange.rev, "groups": arrange.groups}
        request = MoveRequest(table_id=self.table_id, user_id=self.user_id, move=move)
        played = await self._play(request)
        if played.refusal is None:
            await self.deliver(messages.arranged(rev=arrange.rev))
        else:
            code, sentence = played.refusal.code, str(played.refusal.sentence)
            await self.deliver(messages.error(code=code, message=sentence))
        await self._tell(played.steps)

    async def _solve(self, solve: Solve) -> None:
        lock = _one_at_a_time.setdefault(self.table_id, asyncio.Lock())
        try:
            async with lock:
                arranged = await in_thread(
                    arrange_best, table_id=self.table_id, user_id=self.user_id, rev=solve.rev
                )
        except Refusal as refusal:
            await self._reject(solve.id, refusal)
            return
        if arranged.played.refusal is None:
            groups = arranged.move["groups"]
            frame = messages.solved(request_id=solve.id, rev=solve.rev, groups=groups)
            await self.deliver(frame)
        else:
            await self._reject(solve.id, arranged.played.refusal)
        await self._tell(arranged.played.steps)

    async def _judge(self, judge: Judge) -> None:
        try:
            found = await in_thread(
                verdict, table_id=self.table_id, user_id=self.user_id, groups=judge.groups
            )
        except Refusal as refusal:
            await self._reject(judge.id, refusal)
        else:
            await self.deliver(messages.verdict(request_id=judge.id, verdict=found))

    async def _reject(self, request_id: UUID, refusal: Refusal) -> None:
        code, sentence = refusal.code, str(refusal.sentence)
        await self.deliver(messages.rej(move_id=request_id, code=code, message=sentence))

    async def _wish(self, wishes: Wishes) -> None:
        if self.user_id is None:
            await self._refuse_wish(NotSeated())
            return
        wish = Wish(drop=wishes.drop, last_deal=wishes.last_deal)
        try:
            step = await in_thread(
                set_wish, table_id=self.table_id, user_id=self.user_id, wish=wish
            )
        except Refusal as refusal:
            await self._refuse_wish(refusal)
        else:
            await self._tell([step])

    async def _say(self, said: Say) -> None:
        if self.user_id is None:
            await self._refuse_wish(NotSeated())
            return
        line = Line(phrase=said.phrase, text=said.text)
        try:
            written = await in_thread(say, table_id=self.table_id, user_id=self.user_id, line=line)
        except Refusal as refusal:
            await self._refuse_wish(refusal)
        else:
            await announce_line(written)

    async def _seed(self, client: ClientSeed) -> None:
        """Too late is nothing to worry a player with: the deal goes on without his part."""
        if self.user_id is None:
            return
        try:
            await in_thread(
                add_client_seed,
                table_id=self.table_id,
                user_id=self.user_id,
                promise=client.promise,
                seed=client.seed,
            )
        except Refusal as refusal:
            await self._refuse_wish(refusal)

    async def table_said(self, message: dict[str, Any]) -> None:
        """Talk is for those who play."""
        line = message["line"]
        if self.seat is not None and line["player"] not in self.ignored:
            await self.deliver(messages.chat(lines=[line]))

    async def _send_chat(self) -> None:
        """What was said before this socket came."""
        if self.seat is None or self.user_id is None:
            return
        self.ignored, lines = await in_thread(chat_for, self.table_id, self.user_id)
        if lines:
            await self.deliver(messages.chat(lines=lines))

    async def _refuse_wish(self, refusal: Refusal) -> None:
        await self.deliver(messages.error(code=refusal.code, message=str(refusal.sentence)))

    async def _ping(self, ping: Ping) -> None:
        await self.deliver(messages.pong(clock=ping.clock, now=database_clock.now()))

    async def _play(self, request: MoveRequest) -> Played:
        lock = _one_at_a_time.setdefault(self.table_id, asyncio.Lock())
        async with lock:
            return await in_thread(play_move, request)

    async def _tell(self, steps: Sequence[Step]) -> None:
        """Everybody, this player first: his own private part is at hand."""
        for step in steps:
            if step.version is not None:
                await self._deliver_step(step)
        await announce(steps)

    _handlers: dict[type, Callable[[Any, Any], Awaitable[None]]] = {
        Hello: _hello,
        Act: _act,
        Arrange: _arrange,
        Solve: _solve,
        Judge: _judge,
        Wishes: _wish,
        Say: _say,
        ClientSeed: _seed,
        Ping: _ping,
    }

    # --- what happens at the table ----------------------------------------------------------------

    async def _deliver_step(self, step: Step) -> None:
        async with self.delivering:
            if self.version is None or self._is_delayed or step.version != self.version + 1:
                return  # the message to the group, or the heartbeat, brings it in order
            change = change_json(step, seat=self.seat)
            self.version = step.version
            await self.deliver(messages.ev(now=database_clock.now(), changes=[change]))

    async def table_changed(self, message: dict[str, Any]) -> None:
        """A committed change, told through Redis."""
        async with self.delivering:
            if self.version is None or message["v"] <= self.version:
                return
            if self._is_delayed and self.user_id not in message["players"]:
                return
            is_next = message["v"] == self.version + 1
            has_secret = str(self.seat) in message["private"]
            if not is_next or has_secret or self.user_id in message["players"]:
                await self._send_missing()
                return
            self.version = message["v"]
            await self.deliver(messages.ev(now=database_clock.now(), changes=[message["change"]]))

    def is_behind(self, version: int, seats: frozenset[int] | None) -> bool:
        if self.version is None:
            return False
        return version > self.version or self._is_delayed or seats not in (None, self.present)

    async def catch_up_to(self, version: int) -> None:
        """The heartbeat: a change may have been missed."""
        async with self.delivering:
            if self.version is not None and self._is_delayed:
                await self._send_snapshot(only_if_new=True)
            elif self.version is not None and version > self.version:
                await self._send_missing()

    async def present_are(self, seats: frozenset[int]) -> None:
        """The heartbeat: whose browsers are connected."""
        if self.version is not None and seats != self.present:
            self.present = seats
            await self.deliver(messages.here(seats=seats))

    async def _send_missing(self, *, even_if_none: bool = False) -> None:
        """Deliver what was missed; everything, if that is shorter or this player's seat changed."""
        assert self.version is not None  # noqa: S101 - callers have checked it
        steps = await in_thread(changes_since, table_id=self.table_id, version=self.version)
        if steps is None or any(self.user_id in players_of(step) for step in steps):
            await self._send_snapshot()
        elif steps or even_if_none:
            self.version = steps[-1].version if steps else self.version
            changes = [change_json(step, seat=self.seat) for step in steps]
            await self.deliver(messages.ev(now=database_clock.now(), changes=changes))

    async def _send_snapshot(self, *, only_if_new: bool = False) -> None:
        current = await in_thread(snapshot_for, table_id=self.table_id, user_id=self.user_id)
        if current is None or (only_if_new and current.state == self.shown):
            return
        self.shown = current.state if current.seat is None else None
        self.seat = current.seat
        self.version = current.version
        await self.deliver(
            messages.snap(
                epoch=current.epoch,
                version=current.version,
                now=current.now,
                state=current.state,
            )
        )
