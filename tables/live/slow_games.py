"""Slow games, in which a turn may take a day. Players are seldom connected, so they are notified when it is their turn.

A job runs every minute over the slow tables at which the time of a turn or of a break is running. It notifies a player
who is away from the table once of each of these: a turn, a deal's result, the end of a match, and a bot that plays for
them. It also reminds the player when little of a turn is left. The next deal begins when all players have seen the
result of the previous one, and at the latest after the break that the rules set. Guests have no address and no device,
so they learn all this on the table's page.

Notifications are recorded in the seat's row, so that a lost or repeated tick changes nothing. While Redis does not
answer, no player is considered absent, and none is notified.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import Final

from asgiref.sync import async_to_sync
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from accounts.models import AbsenceNotice
from accounts.people.mail_stop import build_stop_url
from accounts.push.services import (
    BOT,
    MOVE,
    OVER,
    REMINDER,
    RESULT,
    Call,
    filter_subscribed_players,
    push_after_commit,
)
from core.database.each import act_on_each
from core.database.leases import Job, lease
from core.emails.kinds import MailKind, Values, register_mail_kind, render_greeting
from core.emails.texts import link_through_sign_in, write_mail
from core.page_notices import hint_after_commit, hint_soon
from games.engine.base import Instant
from games.registry import get_game
from tables.live import presence
from tables.models import Change as StoredChange
from tables.models import Seat, SeatStatus, Table, TableStatus
from tables.play.change import TableChange
from tables.play.faults import move_back
from tables.play.lock import lock_table
from tables.play.reading import read_database_time
from tables.play.seat_view import load_position

# Wait this long before notifying a player, who may be about to come anyway.
TOLD_AFTER: Final[Instant] = 120_000
REMINDED_BEFORE: Final = timedelta(hours=3)
# Pause after all players have seen a result.
LOOKED_PAUSE: Final[Instant] = 30_000
# Tables handled in one run; the next run continues.
TABLES_AT_ONCE: Final = 500
# The notice on which open pages refresh their list of slow games.
NOTICE: Final = "slow_games"


def maintain_slow_games() -> int:
    """Notify players of slow games, and begin deals. Return the number of messages."""
    # Two runs at once would check the same tables; the second leaves them to the first.
    with lease(Job.TENDING_SLOW_GAMES) as is_alone:
        return _maintain() if is_alone else 0


def _maintain() -> int:
    seats: defaultdict[int, list[Seat]] = defaultdict(list)
    for seat in [*_list_seats_to_check(), *_list_replaced_seats()]:
        seats[seat.table_id].append(seat)
    some = sorted(seats, key=lambda table_id: seats[table_id][0].pk)[:TABLES_AT_ONCE]
    here = _present(some)
    tables = Table.objects.select_related("match").in_bulk(some)
    return act_on_each(
        [table_id for table_id in some if table_id in here],  # its presence could be read
        lambda table_id: _maintain_table(
            tables[table_id], seats[table_id], here[table_id], now=read_database_time()
        ),
        doing="maintaining a slow game",
    )


def _list_seats_to_check() -> Sequence[Seat]:
    """Return the seats that may need a message.

    Their players have not been notified of the running turn or break, are due a reminder, or have not seen a result.
    """
    is_told = Q(told_turn=F("table__turn_version"))
    is_due = Q(table__deadline_at__lte=Now() + REMINDED_BEFORE, table__status=TableStatus.PLAYING)
    is_reminded = Q(reminded_turn=F("table__turn_version"))
    seats = Seat.objects.filter(
        ~is_told | (is_due & ~is_reminded) | Q(awaits_look=True),
        left_at=None,
        bot_since=None,
        user__is_bot=False,
        table__is_slow=True,
        table__deadline_at__isnull=False,
        table__status__in=(TableStatus.PLAYING, TableStatus.BETWEEN),
        table__broken_at=None,
    )
    return list(seats.select_related("user").order_by("pk"))


def _list_replaced_seats() -> Sequence[Seat]:
    """Return the seats that a bot has taken over after too many missed turns, and whose players were not told yet.

    Players who have left are not included: they know.
    """
    seats = Seat.objects.filter(
        left_at=None,
        bot_since__isnull=False,
        told_of_bot=False,
        status=SeatStatus.PLAYING,
        table__is_slow=True,
        table__deadline_at__isnull=False,
        table__broken_at=None,
    )
    return list(seats.select_related("user").order_by("pk"))


def _present(table_ids: Sequence[int]) -> Mapping[int, frozenset[int]]:
    if not table_ids:
        return {}
    presence.record_database_time(read_database_time())

    async def ask() -> Mapping[int, frozenset[int]]:
        try:
            return await presence.present(table_ids)
        finally:
            await presence.close()

    return async_to_sync(ask)()


@dataclass(frozen=True, slots=True)
class _Look:
    """The state of one table at this check. `acting` is empty while a result is shown."""

    table: Table
    acting: frozenset[int]
    here: frozenset[int]
    # The turn or the break began long enough ago to notify an absent player.
    is_time: bool


def _maintain_table(
    table: Table, seats: Sequence[Seat], here: frozenset[int], *, now: Instant
) -> int:
    began = _find_clock_change(table)
    # The player who ended the deal has seen its result.
    came = here if began is None or began.seat is None else here | {began.seat}
    is_time = began is None or now - began.at_ms >= TOLD_AFTER
    look = _Look(table, _find_acting(table), here, is_time)
    replaced = [seat for seat in seats if seat.bot_since is not None]
    seats = [seat for seat in seats if seat.bot_since is None]
    told = sum(_maintain_replaced(look, seat) for seat in replaced)
    if any(seat.told_turn != table.turn_version for seat in seats):
        people = frozenset(
            seat.user_id for seat in table.sittings.filter(left_at=None).only("user")
        )
        hint_soon(people, NOTICE)
    if table.status == TableStatus.BETWEEN:
        return told + sum(_maintain_after_match(look, seat) for seat in seats)
    if look.acting:
        Seat.objects.filter(table=table, awaits_look=True).update(awaits_look=False)
        return told + sum(_maintain_turn(look, seat) for seat in seats)
    told += sum(_maintain_result(look, seat, has_come=seat.number in came) for seat in seats)
    if not _find_awaited(table).exists():
        begin_next_deal(table.pk)
    return told


def _find_clock_change(table: Table) -> StoredChange | None:
    """Return the change with which the running turn or break began, or None if it is no longer stored."""
    changes = StoredChange.objects.filter(table=table, version=table.turn_version)
    return changes.only("seat", "at_ms").first()


def _find_acting(table: Table) -> frozenset[int]:
    if table.status != TableStatus.PLAYING or table.state is None:
        return frozenset()
    game = get_game(table.game)
    return frozenset(load_position(game, table.pk, bytes(table.state)).status.acting)


def _maintain_replaced(look: _Look, seat: Seat) -> int:
    if seat.number in look.here:
        _mark(seat, told_of_bot=True)
        return 0
    return _notify(look, seat, BOT_MAIL, BOT, told_of_bot=True)


def _maintain_turn(look: _Look, seat: Seat) -> int:
    if seat.number not in look.acting:
        _mark(seat, told_turn=look.table.turn_version, reminded_turn=look.table.turn_version)
        return 0
    if seat.number in look.here:
        return 0  # they may still leave without a move
    if seat.told_turn != look.table.turn_version:
        return _notify(look, seat, TURN_MAIL, MOVE) if look.is_time else 0
    # The reminder is due: a seat that was notified before is listed here for that reason only.
    return _notify(look, seat, REMINDER_MAIL, REMINDER, reminded_turn=look.table.turn_version)


def _maintain_result(look: _Look, seat: Seat, *, has_come: bool) -> int:
    turn = look.table.turn_version
    if has_come or seat.status != SeatStatus.PLAYING:
        _mark(seat, told_turn=turn, reminded_turn=turn, awaits_look=False)
        return 0
    if seat.told_turn == turn or not look.is_time:
        return 0
    return _notify(look, seat, RESULT_MAIL, RESULT, reminded_turn=turn, awaits_look=True)


def _maintain_after_match(look: _Look, seat: Seat) -> int:
    turn, match = look.table.turn_version, look.table.match
    has_played = match is not None and seat.user_id in match.participants
    if not has_played or seat.plays_again or seat.number in look.here:
        _mark(seat, told_turn=turn, awaits_look=False)
        return 0
    if seat.told_turn == turn or not look.is_time:
        return 0
    return _notify(look, seat, OVER_MAIL, OVER, awaits_look=False)


def _mark(seat: Seat, **changes: object) -> None:
    Seat.objects.filter(pk=seat.pk, table=seat.table_id, left_at=None).update(**changes)


@transaction.atomic
def _notify(look: _Look, seat: Seat, mail: MailKind, kind: str, **changes: object) -> int:
    """Notify one player by their chosen channel, once. Return the number of messages."""
    table, user = look.table, seat.user
    held = Seat.objects.filter(pk=seat.pk, table=table, left_at=None)
    if not held.select_for_update(skip_locked=True).exists():
        return 0
    _mark(seat, told_turn=table.turn_version, **changes)
    url = reverse("table", args=[table.pk])
    if user.absence_notice == AbsenceNotice.NONE:
        return 0
    if filter_subscribed_players([user.pk]):
        name = table.said("name", user.language)
        call = Call(
            kind=kind, name=name, url=url, tag=f"table-{table.pk}", seconds=_seconds_left(table)
        )
        push_after_commit({user.pk}, call)
    elif user.absence_notice == AbsenceNotice.PUSH_OR_EMAIL:
        write_mail(
            mail,
            user=user,
            hint=NOTICE,
            stop_url=build_stop_url(user.pk),
            table=table.said("name", user.language),
            until=_format_deadline(table, user.language),
            page=link_through_sign_in(url),
        )
    else:
        return 0
    hint_after_commit({user.pk}, NOTICE)
    return 1


def _seconds_left(table: Table) -> int:
    assert table.deadline_at is not None  # noqa: S101 - only running clocks are looked at
    return max(1, ceil((table.deadline_at - timezone.now()).total_seconds()))


def _format_deadline(table: Table, language: str) -> str:
    assert table.deadline_at is not None  # noqa: S101 - only running clocks are looked at
    with override(language):
        return formats.date_format(timezone.localtime(table.deadline_at), "DATETIME_FORMAT")


# --- The next deal.


def _find_awaited(table: Table) -> QuerySet[Seat]:
    """Return the seats whose players have not seen the result of the previous deal."""
    seats = Seat.objects.filter(table=table, left_at=None, user__is_bot=False)
    seen = Q(told_turn=table.turn_version, awaits_look=False)
    return seats.filter(status=SeatStatus.PLAYING, bot_since=None).exclude(seen)


@transaction.atomic
def begin_next_deal(table_id: int) -> TableChange | None:
    """Shorten the break after a deal whose result all players have seen. Return None if no break is running."""
    table = lock_table(table_id, skip_locked=True)
    if table is None or table.status is not TableStatus.PLAYING or table.is_broken:
        return None
    if table.state is None or table.deadline is None:
        return None
    status = load_position(get_game(table.game), table.id, table.state).status
    earlier = table.deadline - table.now - LOOKED_PAUSE
    if status.acting or status.result is not None or earlier <= 0:
        return None
    return move_back(table, -earlier)


# --- Texts.


def _compose_mail(subject: str, first: str, second: str, values: Values) -> tuple[str, str]:
    lines = [render_greeting(values), "", first % values, second % values, "", values["page"], ""]
    return subject % values, "\n".join([*lines, str(CHOICE)])


CHOICE: Final = gettext_lazy("You can turn this message off in your settings.")


def _turn(values: Values) -> tuple[str, str]:
    return _compose_mail(
        _("Your move at %(table)s"),
        _("it is your move at %(table)s."),
        _("You have time until %(until)s. If you let it pass, the game goes on without your move."),
        values,
    )


def _compose_reminder(values: Values) -> tuple[str, str]:
    return _compose_mail(
        _("Little time is left at %(table)s"),
        _("the others are still waiting for your move at %(table)s."),
        _("Your time ends on %(until)s. Then the game goes on without your move."),
        values,
    )


def _compose_result(values: Values) -> tuple[str, str]:
    return _compose_mail(
        _("See how the deal ended at %(table)s"),
        _("a deal is over at %(table)s."),
        _("The next one begins when all players have seen the result, on %(until)s at the latest."),
        values,
    )


def _compose_over(values: Values) -> tuple[str, str]:
    return _compose_mail(
        _("The match at %(table)s is over"),
        _("the match is over at %(table)s."),
        _("Ask for the next one by %(until)s; otherwise you lose your seat."),
        values,
    )


def _compose_bot(values: Values) -> tuple[str, str]:
    return _compose_mail(
        _("A bot plays for you at %(table)s"),
        _("you have missed several turns, so a bot plays on for you at %(table)s."),
        _(
            "Press “I am back” at the table to take over from the bot. The current turn "
            "ends on %(until)s."
        ),
        values,
    )


def _register_kind(
    code: str, title: str | Promise, usual: Callable[[Values], tuple[str, str]]
) -> MailKind:
    return register_mail_kind(
        code,
        title,
        usual,
        table=gettext_lazy("the table's name"),
        until=gettext_lazy("when the time runs out"),
        page=gettext_lazy("the table's address"),
    )


TURN_MAIL = _register_kind("slow_turn", gettext_lazy("Slow game: your move"), _turn)
REMINDER_MAIL = _register_kind(
    "slow_reminder", gettext_lazy("Slow game: little time is left"), _compose_reminder
)
RESULT_MAIL = _register_kind(
    "slow_result", gettext_lazy("Slow game: a deal is over"), _compose_result
)
OVER_MAIL = _register_kind("slow_over", gettext_lazy("Slow game: a match is over"), _compose_over)
BOT_MAIL = _register_kind("slow_bot", gettext_lazy("Slow game: a bot plays on"), _compose_bot)
