"""One socket at one table: a player's or a spectator's."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any
from weakref import WeakValueDictionary

from django.db import OperationalError
from django.http import QueryDict

from accounts import log_context
from accounts.measures import MOVE_SECONDS, MOVES
from tables import broadcast, database_clock, messages, presence
from tables.addresses import invite_in
from tables.broadcast import announce, announce_line, group_of, group_of_player
from tables.deliveries import Deliveries
from tables.help import best_arrangement, verdict
from tables.limits import Budget, Rate, address_of
from tables.locks import Step, was_undone
from tables.messages import (
    Act,
    Arrange,
    BadMessage,
    ClientSeed,
    Hello,
    Judge,
    Me,
    Message,
    Ping,
    Say,
    Solve,
    Wishes,
)
from tables.refusals import (
    NoHello,
    NotSeated,
    ProgramsNotAdmitted,
    Refusal,
    TableBusy,
    TableNotFound,
    TooManyQuestions,
)
from tables.selectors import Standing, chat_for, may_see, standing
from tables.services.chat import Line, say
from tables.services.play import MoveRequest, Played, play_move
from tables.services.seeds import add_client_seed
from tables.services.wishes import Wish, set_wish
from tables.sockets import (
    MESSAGES,
    NO_HELLO,
    NOT_ADMITTED,
    NOT_FOUND,
    TAKEN_OVER,
    TOO_MANY_MESSAGES,
)
from tables.threads import TooMuchAsked, aside, in_question_thread, in_thread
from tables.version_watch import watch
from tables.watching import standing_of_nobody

BAD_MESSAGES_ALLOWED = 20
LONGEST_QUERY = 200
SECONDS_TO_HELLO = 10
# Who watches has nothing to say but that they are there.
MESSAGES_OF_A_WATCHER = Rate(a_second=2, at_once=10)

# Of all sockets of a player, and of everybody without an account behind an address.
FRAMES_OF_A_PLAYER = Budget(a_second=30, at_once=120)
FRAMES_OF_AN_ADDRESS = Budget(a_second=100, at_once=400)
HELLOS = Budget(a_second=1, at_once=20)
QUESTIONS = Budget(a_second=0.5, at_once=10)
# How often somebody who is not known to have a seat is looked up all the same.
SEATS_LOOKED_UP = Budget(a_second=0.2, at_once=3)

# A table whose row is blocked holds one thread of this process, not all of them.
_one_at_a_time: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()


class TableConsumer(Deliveries):
    """What the browser sends: read, given to one service, answered."""

    async def connect(self) -> None:
        user = self.scope["user"]
        self.user_id = None if user is None else user.pk
        self.table_id = int(self.scope["url_route"]["kwargs"]["table_id"])
        log_context.bind(table=self.table_id, user=self.user_id)
        self.address = address_of(self.scope)
        self.bad_messages = 0
        # When this connection began to play for its player, to compare with their others.
        self.claim: list[int | str] | None = None
        self.is_taken_over = False
        self.ignored: frozenset[int] = frozenset()
        self.joined: list[str] = []
        self.waiting: asyncio.TimerHandle | None = None  # for the first hello
        self.parting: asyncio.Task[None] | None = None
        await self.accept()
        if not await self._is_admitted():
            return
        # In the group before the state is read, so that nothing falls between the two.
        for group in self._groups():
            self.joined.append(group)
            await self.channel_layer.group_add(group, self.channel_name)
        watch.add(self.table_id, self)
        loop = asyncio.get_running_loop()
        self.waiting = loop.call_later(SECONDS_TO_HELLO, self._has_waited)

    def _groups(self) -> list[str]:
        if self.user_id is None:  # shown late by the heartbeat: waking all would delay moves
            return [] if self.is_delayed else [group_of(self.table_id)]
        return [group_of(self.table_id), group_of_player(self.table_id, self.user_id)]

    async def part_from_table(self) -> None:
        if self.waiting is not None:
            self.waiting.cancel()
        watch.remove(self.table_id, self)
        for group in self.joined:
            await self.channel_layer.group_discard(group, self.channel_name)
        if self.seat is not None and not self.is_taken_over:
            await presence.gone(self.table_id, self.seat, self.channel_name)

    async def _is_admitted(self) -> bool:
        """Whether there is such a table, and this program may play there; otherwise it is over."""
        self.admitted = place = await self._place()
        if place is None or (place.is_private and not await self._may_see()):
            await self._part_with(NOT_FOUND, TableNotFound())
        elif self.scope.get("token_id") and not place.admits_programs:
            await self._part_with(NOT_ADMITTED, ProgramsNotAdmitted())
        else:
            self.sits_at(place)
        return not self.is_over

    async def _place(self) -> Standing | None:
        """Players are not kept waiting by those who only watch."""
        if self.user_id is None and self.is_delayed:
            return await standing_of_nobody(self.table_id)
        run = aside if self.user_id is None else in_thread
        return await run(standing, table_id=self.table_id, user_id=self.user_id)

    async def _may_see(self) -> bool:
        """The address of a private table's socket carries its invitation, as its page's does."""
        # Of a long one the beginning: what has too many fields is no invitation.
        query = QueryDict(self.scope["query_string"][:LONGEST_QUERY], encoding="latin-1")
        run = aside if self.user_id is None else in_thread
        return await run(
            may_see, table_id=self.table_id, user_id=self.user_id, invite=invite_in(query)
        )

    def _has_waited(self) -> None:
        """Who does not say hello is not kept."""
        if self.version is None:
            self.parting = asyncio.ensure_future(self._part_with(NO_HELLO, NoHello()))

    async def _part_with(self, close_code: int, refusal: Refusal) -> None:
        await self.part(close_code, refusal.code, str(refusal.sentence))

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        try:
            self._count_frame()
            message = messages.parse(text_data)
        except BadMessage as bad:
            await self.refuse_frame(bad)
            return
        self._is_heard()
        if isinstance(message, Ping | Hello | Me) or await self._is_seated():
            await self._answer(message)
        else:
            await self._refuse(message, NoHello() if self.version is None else NotSeated())

    async def _answer(self, message: Message) -> None:
        try:
            await self._handlers[type(message)](self, message)
        except OperationalError as error:
            # Somebody held the row for too long: the transaction is undone, nothing has changed.
            if isinstance(message, Hello) or not was_undone(error):
                raise
            await self._refuse(message, TableBusy())

    def _count_frame(self) -> None:
        """Raises BadMessage for a message too many: of this socket, or of all of this person."""
        self.count_message(MESSAGES if self.seat is not None else MESSAGES_OF_A_WATCHER)
        if self.user_id is None:
            is_fit = FRAMES_OF_AN_ADDRESS.take(self.address)
        else:
            is_fit = FRAMES_OF_A_PLAYER.take(self.user_id)
        if not is_fit:
            raise messages.too_many()

    async def _is_seated(self) -> bool:
        """From memory, so that whoever has no seat costs a table nothing."""
        if self.version is None or self.user_id is None:
            return False
        if self.seat is None and SEATS_LOOKED_UP.take(self.user_id):
            place = await aside(standing, table_id=self.table_id, user_id=self.user_id)
            if place is not None and place.seat is not None:
                async with self.delivering:
                    await self._send_snapshot()  # the word that they have sat down was lost
        return self.seat is not None

    def _is_heard(self) -> None:
        """Whatever the browser sends shows that it is there."""
        if self.seat is not None and not self.is_taken_over:
            presence.heard(self.table_id, self.seat, self.channel_name)

    async def refuse_frame(self, bad: BadMessage) -> None:
        await self.deliver(messages.error(code=bad.code, message=bad.message))
        await self._count_bad(bad.code)

    async def _count_bad(self, code: str) -> None:
        self.bad_messages += 1
        if self.bad_messages > BAD_MESSAGES_ALLOWED:
            await self.part(TOO_MANY_MESSAGES, code, "Too many messages were refused.")

    async def _refuse(self, message: Message, refusal: Refusal) -> None:
        code, sentence = refusal.code, str(refusal.sentence)
        if isinstance(message, Act | Solve | Judge):
            await self.deliver(messages.rej(move_id=message.id, code=code, message=sentence))
        else:
            await self.deliver(messages.error(code=code, message=sentence))

    # --- what the browser sends -------------------------------------------------------------------

    async def _hello(self, hello: Hello) -> None:
        """Bring this socket up to date."""
        if self.user_id is not None and not HELLOS.take(self.user_id):
            await self.refuse_frame(messages.too_many())
            return
        async with self.delivering:
            # Who has no account can have no seat, and is shown what others are.
            is_same = self.user_id is None and self.is_delayed
            place = self.admitted if is_same else await self._place()
            if place is None:
                await self._part_with(NOT_FOUND, TableNotFound())
                return
            await self.bring_up_to(place, epoch=hello.epoch, version=hello.version)
        await self._take_over()
        await self._send_chat()

    async def _take_over(self) -> None:
        """A player's newest connection is the one that plays; the ones before it are told so."""
        if self.seat is None or self.user_id is None:
            return
        presence.heard(self.table_id, self.seat, self.channel_name)
        await presence.write([self.table_id])
        if self.claim is not None:
            return
        self.claim = [database_clock.now(), self.channel_name]
        await broadcast.announce_claim(self.table_id, self.user_id, self.claim)

    async def table_taken_over(self, message: dict[str, Any]) -> None:
        # A connection without a claim has yet to say hello, and will then take over itself.
        if self.seat is None or self.claim is None or message["claim"] <= self.claim:
            return
        self.is_taken_over = True
        text = "You have opened this table somewhere else. It goes on there."
        await self.part(TAKEN_OVER, "taken_over", text)

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
            await self._refuse(act, played.refusal)
        await self._tell(played.steps)

    async def _arrange(self, arrange: Arrange) -> None:
        move = {"kind": "arrange", "rev": arrange.rev, "groups": arrange.groups}
        played = await self._play(MoveRequest(self.table_id, self.user_id, move))
        if played.refusal is None:
            await self.deliver(messages.arranged(rev=arrange.rev))
        else:
            await self._refuse(arrange, played.refusal)
        await self._tell(played.steps)

    async def _solve(self, solve: Solve) -> None:
        """Reckoned beside the moves; if the hand is another one by then, the move is refused."""
        place = {"table_id": self.table_id, "user_id": self.user_id}
        move = await self._asked(solve, best_arrangement, **place, rev=solve.rev)
        if move is None:
            return
        played = await self._play(MoveRequest(self.table_id, self.user_id, dict(move)))
        if played.refusal is None:
            frame = messages.solved(request_id=solve.id, rev=solve.rev, groups=move["groups"])
            await self.deliver(frame)
        else:
            await self._refuse(solve, played.refusal)
        await self._tell(played.steps)

    async def _judge(self, judge: Judge) -> None:
        place = {"table_id": self.table_id, "user_id": self.user_id}
        found = await self._asked(judge, verdict, **place, groups=judge.groups)
        if found is not None:
            await self.deliver(messages.verdict(request_id=judge.id, verdict=found))

    async def _asked(
        self, question: Solve | Judge, answer: Callable[..., dict[str, Any]], **details: Any
    ) -> dict[str, Any] | None:
        """What the game reckons on threads of its own; None if it is refused."""
        if not QUESTIONS.take(self.user_id):
            await self._refuse(question, TooManyQuestions())
            await self._count_bad(TooManyQuestions.code)
            return None
        try:
            return await in_question_thread(answer, **details)
        except TooMuchAsked:
            await self._refuse(question, TooManyQuestions())
        except Refusal as refusal:
            await self._refuse(question, refusal)
        return None

    async def _wish(self, wishes: Wishes) -> None:
        wish = Wish(drop=wishes.drop, last_deal=wishes.last_deal)
        place = {"table_id": self.table_id, "user_id": self._player}
        try:
            step = await in_thread(set_wish, **place, wish=wish)
        except Refusal as refusal:
            await self._refuse(wishes, refusal)
        else:
            await self._tell([step])

    async def _say(self, said: Say) -> None:
        line = Line(phrase=said.phrase, text=said.text)
        place = {"table_id": self.table_id, "user_id": self._player}
        try:
            written = await in_thread(say, **place, line=line)
        except Refusal as refusal:
            await self._refuse(said, refusal)
        else:
            await announce_line(written)

    async def _seed(self, client: ClientSeed) -> None:
        """Too late is nothing to worry a player with: the deal goes on without their part."""
        place = {"table_id": self.table_id, "user_id": self._player}
        try:
            await in_thread(add_client_seed, **place, promise=client.promise, seed=client.seed)
        except Refusal as refusal:
            await self._refuse(client, refusal)

    @property
    def _player(self) -> int:
        assert self.user_id is not None  # noqa: S101 - who has a seat has an account
        return self.user_id

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

    async def _ping(self, ping: Ping) -> None:
        await self.deliver(messages.pong(clock=ping.clock, now=database_clock.now()))

    async def hear_of_oneself(self, _me: Me) -> None:
        """For the sockets of pages (config/consumers.py); a program has no use for it."""
        await self.refuse_frame(messages.unknown_type())

    async def _me(self, me: Me) -> None:
        await self.hear_of_oneself(me)

    async def _play(self, request: MoveRequest) -> Played:
        lock = _one_at_a_time.setdefault(self.table_id, asyncio.Lock())
        async with lock:
            return await in_thread(play_move, request)

    async def _tell(self, steps: Sequence[Step]) -> None:
        """Everybody, this player first: their own private part is at hand."""
        for step in steps:
            if step.version is not None:
                await self.deliver_step(step)
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
        Me: _me,
    }
