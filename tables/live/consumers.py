"""One socket at one table, of a player or a spectator."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final
from uuid import UUID
from weakref import WeakValueDictionary

from channels.layers import get_channel_layer
from django.conf import settings
from django.db import OperationalError
from django.http import QueryDict
from msgspec import UNSET
from redis.exceptions import RedisError

from core.observability import logs, tracing
from core.observability.metrics import MOVE_SECONDS, MOVES
from core.refusals import Refusal
from core.threads import TooMuchAsked, aside, in_question_thread, in_thread
from tables import refusals
from tables.chat.moderation import ModeratedLine
from tables.chat.selectors import chat_for
from tables.chat.services import group_of_watchers, post_line
from tables.live import frames, presence, sockets
from tables.live.delayed_view import get_standing_of_nobody
from tables.live.feed import Feed
from tables.live.frames import (
    Act,
    Again,
    Ask,
    Back,
    BadFrame,
    ClientFrame,
    ClientSeed,
    Draft,
    Hello,
    Me,
    Ping,
    PreActions,
    Say,
    Start,
)
from tables.live.heartbeat import version_watch
from tables.live.sockets import (
    BAD_FRAMES_ALLOWED,
    BAD_FRAMES_AT_ONCE,
    FRAMES_OF_A_PLAYER,
    FRAMES_OF_AN_ADDRESS,
    HELLOS,
    NO_HELLO,
    NOT_ALLOWED,
    NOT_FOUND,
    OF_A_PLAYERS_SOCKET,
    OF_A_WATCHERS_SOCKET,
    QUESTIONS,
    SEATS_LOOKED_UP,
    TAKEN_OVER,
    TOO_MANY_MESSAGES,
    WATCHERS_LINES,
    GameConsumer,
    MakeNews,
    PersonalNews,
    get_address,
)
from tables.play.bots import PreAction, come_back, set_pre_action
from tables.play.change import name_table_group
from tables.play.lock import was_undone
from tables.play.move import DraftMove, MoveRequest, Played, play_move
from tables.play.reading import Standing, answer_question, read_standing
from tables.play.seeds import add_client_seed
from tables.refusals import (
    API_PLAYERS_NOT_ALLOWED,
    PLAYS_BY_TOKEN,
    SAID_TOO_MUCH,
    SENT_AWAY,
    TABLE_BUSY,
    TOO_MANY_QUESTIONS,
    NotSeated,
    TableNotFound,
)
from tables.seating.hosting.invitations import invite_in
from tables.seating.hosting.services import start_table
from tables.seating.selectors import may_see
from tables.seating.sitting import play_again

LONGEST_QUERY = 200


def read_invitation(scope: Any) -> str:
    """Return the invitation code in a socket's address, which has the same parameter as the page's address."""
    # Read only the beginning of a long query: one with too many fields is no invitation.
    return invite_in(QueryDict(scope["query_string"][:LONGEST_QUERY], encoding="latin-1"))


class SocketAdmission:
    """A person's admission to a socket: their standing at the table, and whether they may connect.

    The queries for people without an account run on separate threads, so that they do not delay players.
    """

    def __init__(self, scope: Any, table_id: int, user_id: int | None) -> None:
        self._scope = scope
        self._table_id = table_id
        self._user_id = user_id
        self._run = aside if user_id is None else in_thread
        self.standing: Standing | None = None  # as of `refusal`

    async def refusal(self) -> tuple[int, Refusal] | None:
        """Return the close code and the refusal, or None if the person may connect."""
        self.standing = place = await self.get_standing()
        if place is None or (place.is_private and not await self._may_see()):
            return NOT_FOUND, TableNotFound()
        if self._scope.get("token_id") and not place.allows_api_players:
            return NOT_ALLOWED, Refusal(API_PLAYERS_NOT_ALLOWED)
        if place.seat is not None and self._is_bot_account_in_browser():
            return NOT_ALLOWED, Refusal(PLAYS_BY_TOKEN)
        return None

    def _is_bot_account_in_browser(self) -> bool:
        return self._scope["user"].is_bot_account and not self._scope.get("token_id")

    async def get_standing(self) -> Standing | None:
        """Return this person's current standing at the table, or None if there is no such table."""
        if self._user_id is None and settings.SPECTATOR_DELAY_SECONDS > 0:
            return await get_standing_of_nobody(self._table_id)
        return await self._run(read_standing, table_id=self._table_id, user_id=self._user_id)

    async def _may_see(self) -> bool:
        invite = read_invitation(self._scope)
        return await self._run(
            may_see, table_id=self._table_id, user_id=self._user_id, invite=invite
        )


logger = logging.getLogger(__name__)

SECONDS_TO_HELLO = 10
# One lock a table, so that a blocked row holds one thread of this process, not all.
_one_at_a_time: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()


def group_of_player(table_id: int, user_id: int) -> str:
    """Return the channel group of this person's sockets at this table."""
    return f"table.{table_id}.player.{user_id}"


class TableConsumer(GameConsumer):
    """Reads the client's frames and answers them. Its `feed` delivers the table's changes.

    `news` builds the source of personal messages for a page's socket, from the socket, the user's id and the table's
    id. A program's socket has none.
    """

    table_id: int
    user_id: int | None
    feed: Feed
    admission: SocketAdmission

    def __init__(self, *args: Any, news: MakeNews | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._make_news = news
        self.news: PersonalNews | None = None
        self.bad_messages = 0
        # When this connection took over for its player; compared with the player's other connections.
        self.claim: list[int | str] | None = None
        self.is_taken_over = False
        self.ignored: frozenset[int] = frozenset()
        self._joined: list[str] = []
        self._waiting: asyncio.TimerHandle | None = None  # for the first hello
        self._parting: asyncio.Task[None] | None = None

    @property
    def player(self) -> int:
        assert self.user_id is not None  # noqa: S101 - who has a seat has an account
        return self.user_id

    # Connecting and disconnecting.

    async def connect(self) -> None:
        scope: Any = self.scope
        self.user_id = None if scope["user"] is None else scope["user"].pk
        self.table_id = int(scope["url_route"]["kwargs"]["table_id"])
        logs.bind(table=self.table_id, user=self.user_id)
        self.address = get_address(scope)
        self.feed = Feed(self.table_id, self.user_id, self.deliver)
        self.admission = SocketAdmission(scope, self.table_id, self.user_id)
        if self._make_news is not None:
            self.news = self._make_news(self, self.user_id, self.table_id)
        await self.accept()
        refused = await self.admission.refusal()
        if refused is not None:
            await self._part_with(*refused)
            return
        assert self.admission.standing is not None  # noqa: S101 - it is not refused
        self.feed.record_seat(self.admission.standing)
        # Join the groups before reading the state, so that no change is lost in between.
        for group in self._groups():
            self._joined.append(group)
            await self.channel_layer.group_add(group, self.channel_name)
        version_watch.add(self.table_id, self.feed)
        loop = asyncio.get_running_loop()
        self._waiting = loop.call_later(SECONDS_TO_HELLO, self._close_without_hello)

    def _groups(self) -> list[str]:
        if self.user_id is None:  # the heartbeat updates them late: waking all would delay moves
            return [] if self.feed.is_delayed else [name_table_group(self.table_id)]
        return [name_table_group(self.table_id), group_of_player(self.table_id, self.user_id)]

    def _close_without_hello(self) -> None:
        if self.feed.version is None:
            self._parting = asyncio.ensure_future(
                self._part_with(NO_HELLO, Refusal(refusals.NO_HELLO))
            )

    async def part_from_table(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
        version_watch.remove(self.table_id, self.feed)
        for group in self._joined:
            await self.channel_layer.group_discard(group, self.channel_name)
        if self.feed.seat is not None and not self.is_taken_over:
            await presence.record_gone(self.table_id, self.feed.seat, self.channel_name)
        if self.news is not None:
            await self.news.end()

    # Receiving frames.

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        try:
            self._count_frame()
            frame = frames.parse(text_data)
        except BadFrame as bad:
            await self._refuse_frame(bad, frames.find_id(text_data))
            return
        if self.feed.seat is not None and not self.is_taken_over:
            presence.record_heard(self.table_id, self.feed.seat, self.channel_name)
        is_for_all = isinstance(frame, Ping | Hello | Me)
        if is_for_all or await self._is_seated() or self._may_talk_aside(frame):
            await self._answer(frame)
        else:
            await self._refuse(
                frame, Refusal(refusals.NO_HELLO) if self.feed.version is None else NotSeated()
            )

    async def _answer(self, frame: ClientFrame) -> None:
        try:
            await _HANDLERS[type(frame)](self, frame)
        except Refusal as refusal:
            await self._refuse(frame, refusal)
        except OperationalError as error:
            # The row was locked for too long: the transaction is rolled back, nothing has changed.
            if isinstance(frame, Hello) or not was_undone(error):
                raise
            await self._refuse(frame, Refusal(TABLE_BUSY))

    def _count_frame(self) -> None:
        """Raise BadFrame if this socket or this person sends too many frames."""
        is_player = self.feed.seat is not None
        self.count_message(OF_A_PLAYERS_SOCKET if is_player else OF_A_WATCHERS_SOCKET)
        if self.user_id is None:
            has_room = FRAMES_OF_AN_ADDRESS.take(self.address)
        else:
            has_room = FRAMES_OF_A_PLAYER.take(self.user_id)
        if not has_room:
            raise frames.build_too_many()

    async def _is_seated(self) -> bool:
        """Return whether this person has a seat, as far as this socket knows.

        If the socket knows of no seat, a rate-limited query checks that, because the message about a seat may have been
        lost. Beyond that limit, frames from people without a seat cost no query.
        """
        if self.feed.version is None or self.user_id is None:
            return False
        if self.feed.seat is None and SEATS_LOOKED_UP.take(self.user_id):
            place = await aside(read_standing, table_id=self.table_id, user_id=self.user_id)
            if place is not None and place.seat is not None:
                async with self.feed.lock:
                    # The message that the player has sat down was lost.
                    await self.feed.send_snapshot()
        return self.feed.seat is not None

    def _may_talk_aside(self, frame: ClientFrame) -> bool:
        """Return whether this frame is a chat line of a spectator with an account."""
        return isinstance(frame, Say) and self.user_id is not None and self.feed.is_spectator

    async def _refuse_frame(self, bad: BadFrame, frame_id: UUID | None = None) -> None:
        await self._send_refusal(frame_id, bad.code, bad.message)
        await self._count_bad(bad.code)

    async def _send_refusal(self, frame_id: UUID | None, code: str, message: str) -> None:
        if frame_id is None:
            await self.deliver(frames.Error(code=code, message=message))
        else:
            await self.deliver(frames.Rej(id=frame_id, code=code, message=message))

    async def _count_bad(self, code: str) -> None:
        self.bad_messages += 1
        if self.bad_messages > BAD_FRAMES_ALLOWED:
            await self.part(TOO_MANY_MESSAGES, code, "Too many messages were refused.")
        elif self.bad_messages > BAD_FRAMES_AT_ONCE:
            await asyncio.sleep(sockets.SECONDS_SLOWED)  # frames wait in the client's own buffers

    async def _refuse(self, frame: ClientFrame, refusal: Refusal) -> None:
        frame_id: UUID | None = getattr(frame, "id", None)
        await self._send_refusal(frame_id, refusal.code, str(refusal.message))

    async def _part_with(self, close_code: int, refusal: Refusal) -> None:
        await self.part(close_code, refusal.code, str(refusal.message))

    # Frames that bring the socket up to date and keep it so.

    async def on_hello(self, frame: Hello) -> None:
        if self.user_id is not None and not HELLOS.take(self.user_id):
            await self._refuse_frame(frames.build_too_many())
            return
        async with self.feed.lock:
            # People without an account have no seat, and see what other spectators see.
            is_same = self.user_id is None and self.feed.is_delayed
            place = self.admission.standing if is_same else await self.admission.get_standing()
            if place is None:
                await self._part_with(NOT_FOUND, TableNotFound())
                return
            await self.feed.bring_up_to(place, epoch=frame.epoch, version=frame.version)
        if self.feed.seat is not None and self.user_id is not None:
            await self._take_over(self.feed.seat, self.user_id)
            await self._send_chat(self.user_id)
        else:
            await self._listen_to_watchers()

    async def _take_over(self, seat: int, user_id: int) -> None:
        """Make this connection the one that plays, and tell the player's earlier connections."""
        presence.record_heard(self.table_id, seat, self.channel_name)
        await presence.write([self.table_id])
        if self.claim is not None:
            return
        self.claim = [presence.estimate_database_time(), self.channel_name]
        layer = get_channel_layer()
        assert layer is not None  # noqa: S101 - the settings name one
        message = {"type": "table.taken_over", "claim": self.claim}
        try:
            await layer.group_send(group_of_player(self.table_id, user_id), message)
        except (RedisError, OSError) as error:  # the player's other connections play on
            logger.warning("table %s: a connection was not taken over: %s", self.table_id, error)

    async def _send_chat(self, user_id: int) -> None:
        """Send the chat lines that were posted before this socket connected."""
        self.ignored, lines = await in_thread(chat_for, self.table_id, user_id)
        if lines:
            await self.deliver(frames.Chat([frames.ChatLine(**line) for line in lines]))

    async def _listen_to_watchers(self) -> None:
        """Subscribe to the spectators' chat, and send its earlier lines to people with an account."""
        if not self.feed.is_spectator:
            return
        group = group_of_watchers(self.table_id)
        if group not in self._joined:
            self._joined.append(group)
            await self.channel_layer.group_add(group, self.channel_name)
        if self.user_id is not None:
            self.ignored, lines = await aside(
                chat_for, self.table_id, self.user_id, is_watching=True
            )
            if lines:
                await self.deliver(frames.Chat([frames.ChatLine(**line) for line in lines]))

    async def on_ping(self, frame: Ping) -> None:
        await self.deliver(frames.Pong(clock=frame.clock, now=presence.estimate_database_time()))

    async def on_me(self, _frame: Me) -> None:
        """Begin to send personal messages. A program's socket gets none."""
        if self.news is None or self.user_id is None:
            await self._refuse_frame(frames.build_unknown_type())
        else:
            await self.news.begin()

    # Frames that play, prepare a move, or ask about a hand.

    async def on_act(self, frame: Act) -> None:
        with tracing.trace("move", table=self.table_id):
            request = MoveRequest(
                table_id=self.table_id,
                user_id=self.user_id,
                move=frame.move,
                seen_version=frame.version,
                move_id=frame.id,
            )
            began = time.perf_counter()
            played = await self._play(request)
            outcome = "played" if played.refusal is None else "refused"
            tracing.add_attributes(outcome=outcome, version=played.version)
            MOVES.labels(outcome).inc()
            MOVE_SECONDS.observe(time.perf_counter() - began)
            if played.refusal is None:
                if played.is_secret:
                    await self.feed.deliver_own_secret(str(frame.id))
                await self.deliver(frames.Ack(id=frame.id, version=played.version))
            else:
                await self._refuse(frame, played.refusal)
            await self._deliver_own(played)

    async def on_draft(self, frame: Draft) -> None:
        move = DraftMove(rev=frame.rev, draft=frame.draft)
        played = await self._play(MoveRequest(self.table_id, self.user_id, move))
        if played.refusal is None:
            await self.deliver(frames.Drafted(frame.rev, _find_saved_draft(played)))
        else:
            await self._refuse(frame, played.refusal)
        await self._deliver_own(played)

    async def _play(self, request: MoveRequest) -> Played:
        async with _one_at_a_time.setdefault(self.table_id, asyncio.Lock()):
            return await in_thread(play_move, request)

    async def _deliver_own(self, played: Played) -> None:
        """Send this player the changes that they have made, at once.

        The private part of these changes is already in memory.
        """
        for change in played.changes:
            if change.version is not None:
                await self.feed.deliver_own(change)

    async def on_ask(self, frame: Ask) -> None:
        """Answer a question on separate threads, so that the game's search delays no moves."""
        if not QUESTIONS.take(self.user_id):
            await self._refuse(frame, Refusal(TOO_MANY_QUESTIONS))
            await self._count_bad(TOO_MANY_QUESTIONS.code)
            return
        try:
            reply = await in_question_thread(
                answer_question,
                table_id=self.table_id,
                user_id=self.user_id,
                question=frame.question,
            )
        except TooMuchAsked:
            await self._refuse(frame, Refusal(TOO_MANY_QUESTIONS))
        else:
            await self.deliver(frames.Answer(frame.id, reply))

    async def on_pre_actions(self, frame: PreActions) -> None:
        wanted = PreAction(move=frame.move, last_deal=frame.last_deal)
        change = await in_thread(
            set_pre_action, table_id=self.table_id, user_id=self.player, wanted=wanted
        )
        await self.feed.deliver_own(change)

    async def on_again(self, frame: Again) -> None:
        change = await in_thread(
            play_again, table_id=self.table_id, user_id=self.player, amount=frame.amount
        )
        version = self.feed.version if change is None else change.version
        await self.deliver(frames.Ack(id=frame.id, version=version or 0))
        if change is not None:
            await self.feed.deliver_own(change)

    async def on_start(self, frame: Start) -> None:
        change = await in_thread(start_table, table_id=self.table_id, user_id=self.player)
        await self.deliver(frames.Ack(id=frame.id, version=change.version or 0))
        await self.feed.deliver_own(change)

    async def on_back(self, frame: Back) -> None:
        change = await in_thread(come_back, table_id=self.table_id, user_id=self.player)
        await self.deliver(frames.Ack(id=frame.id, version=change.version or 0))

    # Frames for the chat, and for the seed of the next shuffle.

    async def on_say(self, frame: Say) -> None:
        line = ModeratedLine(phrase=frame.phrase, text=frame.text)
        run = in_thread
        if self.feed.seat is None:
            run = aside
            if not WATCHERS_LINES.take(self.player):
                raise Refusal(SAID_TOO_MUCH)
        await run(post_line, table_id=self.table_id, user_id=self.player, line=line)

    async def on_client_seed(self, frame: ClientSeed) -> None:
        await in_thread(
            add_client_seed,
            table_id=self.table_id,
            user_id=self.player,
            promise=frame.promise,
            seed=frame.seed,
        )

    # Messages from the channel layer.

    async def table_changed(self, message: dict[str, Any]) -> None:
        """Handle a change at this table, or at another table of this person."""
        if message["table"] == self.table_id:
            sat = self.feed.seat is not None
            await self.feed.deliver_published(message)
            if sat:
                await self._listen_to_watchers()  # if the player has got up
            if self.feed.is_sent_away and self.feed.seat is None:
                await self._part_with(NOT_FOUND, Refusal(SENT_AWAY))
        elif self.news is not None:
            await self.news.send_tables()

    async def table_secret(self, message: dict[str, Any]) -> None:
        """Handle a change that only some seats of this table may see."""
        if message["table"] == self.table_id:
            await self.feed.deliver_published_secret(message)

    async def table_said(self, message: dict[str, Any]) -> None:
        """Send a player's chat line. Only players receive it."""
        line = message["line"]
        is_here = message["table"] == self.table_id and self.feed.seat is not None
        if is_here and line["player"] not in self.ignored:
            await self.deliver(frames.Chat([frames.ChatLine(**line)]))

    async def table_watcher_said(self, message: dict[str, Any]) -> None:
        """Send a spectator's chat line. Only spectators receive it, so that it helps no player."""
        line = message["line"]
        if self.feed.is_spectator and line["player"] not in self.ignored:
            await self.deliver(frames.Chat([frames.ChatLine(**line)]))

    async def table_taken_over(self, message: dict[str, Any]) -> None:
        # A connection without a claim has yet to say hello, and will take over then.
        if self.feed.seat is None or self.claim is None or message["claim"] <= self.claim:
            return
        self.is_taken_over = True
        text = "You have opened this table somewhere else. It goes on there."
        await self.part(TAKEN_OVER, "taken_over", text)

    async def me_message(self, message: dict[str, Any]) -> None:
        if self.news is not None:
            await self.news.pass_on(message)


def _find_saved_draft(played: Played) -> Any:
    """Return the saved draft as the player's private view shows it, or UNSET if it has not changed."""
    kept = [
        change.private.get(str(change.seat), {}).get("draft", UNSET) for change in played.changes
    ]
    return kept[-1] if kept else UNSET


_HANDLERS: Final[Mapping[type, Callable[[TableConsumer, Any], Awaitable[None]]]] = {
    Hello: TableConsumer.on_hello,
    Ping: TableConsumer.on_ping,
    Me: TableConsumer.on_me,
    Act: TableConsumer.on_act,
    Draft: TableConsumer.on_draft,
    Ask: TableConsumer.on_ask,
    PreActions: TableConsumer.on_pre_actions,
    Again: TableConsumer.on_again,
    Start: TableConsumer.on_start,
    Back: TableConsumer.on_back,
    Say: TableConsumer.on_say,
    ClientSeed: TableConsumer.on_client_seed,
}
