"""The seats of a locked table: its players, admission, and the return of stacks when players stand up."""

import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from accounts.models import User
from accounts.people.bots import get_practice_bots
from games.engine.base import JSON, Instant
from tables.models import ChangeKind, PairEvidence, PairState, Seat, SeatStatus, Table, TableStatus
from tables.play.change import TableChange, store_change
from tables.play.lock import LockedTable, milliseconds
from tables.play.seat_view import View, seats_view, table_standing, with_ratings
from wallet import api as wallet
from wallet.api import filter_barred, get_seat_balances
from wallet.money import Currency


def refuse_if_barred(user_id: int) -> User | None:
    """Lock and return the player, or None if there is no such user. The caller has locked the table.

    Raises a Refusal if the player may not play.
    """
    return wallet.refuse_if_barred(user_id)


def filter_barred_players(sittings: Iterable[Seat]) -> frozenset[int]:
    """Return the ids of players who may not play now, because they are frozen or self-excluded. Bots always may."""
    people = [sitting.user_id for sitting in sittings if not sitting.user.is_bot]
    return filter_barred(people)


Pair = tuple[int, int]


def list_pairs_kept_apart(user_ids: Collection[int]) -> frozenset[Pair]:
    """Return every pair of these users that staff keep apart, each with the lower user id first."""
    if len(user_ids) < 2:  # noqa: PLR2004 - a pair
        return frozenset()
    pairs = PairEvidence.objects.filter(
        low__in=user_ids, high__in=user_ids, kept_apart_since__isnull=False
    )
    return frozenset(pairs.values_list("low", "high"))


def is_apart_from_any(user_id: int, others: Collection[int]) -> bool:
    """Return whether staff keep this user apart from any of `others`."""
    return any(user_id in pair for pair in list_pairs_kept_apart({user_id, *others}))


def filter_kept_apart(user_ids: Iterable[int], *, others: Collection[int]) -> frozenset[int]:
    """Return the ids of the users whom staff keep apart from any of `others`. It takes one query for all."""
    some, there = frozenset(user_ids), frozenset(others)
    if not some or not there:
        return frozenset()
    pairs = list_pairs_kept_apart(some | there)
    either_way = pairs | {(high, low) for low, high in pairs}
    return frozenset(one for one, other in either_way if one in some and other in there)


def are_watched(user_ids: Collection[int]) -> bool:
    """Return whether two of these users are a pair that staff watch."""
    pairs = PairEvidence.objects.filter(
        low__in=user_ids, high__in=user_ids, state=PairState.WATCHED
    )
    return pairs.exists()


LEAST_PLAYERS = 2
# How long a table waits for a press before the seats of players who have gone become free.
PRESS_WAIT: Final[Instant] = 30 * 60_000
# At a slow table players are seldom there: after a day all who have not asked lose their seats.
SLOW_WAIT: Final[Instant] = 24 * 3_600_000


# A player without an open page for this long counts as gone.
GONE_AFTER: Final[Instant] = 120_000


def has_gone(table: LockedTable, sitting: Seat, *, after: Instant = GONE_AFTER) -> bool:
    """Return whether this player has had no page open for so long that the table stops waiting for them."""
    away_since = sitting.away_since
    return away_since is not None and milliseconds(away_since) <= table.now - after


def plays_on(row: Table) -> bool:
    """Return whether another match can follow: there are at least two players, or bots fill the free seats."""
    seated = row.sittings.filter(left_at__isnull=True).count()
    return seated >= (1 if row.fills_with_bots else LEAST_PLAYERS)


def is_alone(table_id: int) -> bool:
    """Return whether exactly one person sits here, with only bots or with nobody else.

    It is False at an event's table.
    """
    seated = Seat.objects.filter(
        table=table_id, left_at=None, user__is_bot=False, table__event_url=""
    ).exclude(status=SeatStatus.LEAVING)
    return [*seated.values_list("user__became_bot_at", flat=True)[:2]] == [None]


def waits_for_host(row: Table) -> bool:
    """Return whether a host starts the matches of this table. A table of only BOT accounts needs no host."""
    people = row.sittings.filter(left_at=None, user__is_bot=False, user__became_bot_at=None)
    return row.is_hosted and people.exists()


def needs_press(row: Table) -> bool:
    """Return whether the next match waits until a player asks for it: the host, or a person alone with bots."""
    return waits_for_host(row) or is_alone(row.pk)


def wait_for_press(table: LockedTable, row: Table) -> None:
    """Let no match begin at this idle table until a player asks for it."""
    set_awaits_press(row, value=True)
    table.set_deadline(table.now + (SLOW_WAIT if row.is_slow else PRESS_WAIT))


def set_awaits_press(row: Table, *, value: bool) -> None:
    row.awaits_press = value
    Table.objects.filter(pk=row.pk).update(awaits_press=value)


def is_ready(row: Table, sitting: Seat) -> bool:
    """Return whether a player agrees to the next match.

    At a hosted table, a player agrees by sitting down. After a match or a change of the rules, they have to press a
    button to agree again. At an open table, a player who was not in the last match agrees by sitting down, and a player
    of the last match by pressing a button.
    """
    if row.is_hosted or sitting.plays_again or row.match is None:
        return sitting.plays_again or not row.is_hosted
    played = {player["sitting"] for player in row.match.players.values()}
    return sitting.pk not in played


def list_unready(row: Table) -> list[Seat]:
    """Return the sittings of people who have yet to agree to the next match."""
    people = row.sittings.filter(left_at=None, user__is_bot=False).select_related("user")
    return [sitting for sitting in people.order_by("number") if not is_ready(row, sitting)]


def view_of_table(table: LockedTable, row: Table) -> View:
    """Return the patch with the table's standing and its seats."""
    return {
        "table": table_standing(row, deadline=table.deadline),
        "seats": view_of_chairs(row),
    }


def view_of_chairs(row: Table) -> list[View]:
    seated = row.sittings.filter(left_at__isnull=True).select_related("user")
    sittings = list(with_ratings(seated, row))
    stacks = get_seat_balances(
        [sitting.pk for sitting in sittings], currency=Currency(row.currency)
    )
    return seats_view(row, sittings, stacks)


def save_seating(
    table: LockedTable,
    row: Table,
    events: Sequence[Mapping[str, JSON]],
    *,
    private: Mapping[str, View] | None = None,
) -> TableChange:
    """Store a change of the seats or of the table's standing. Return the change."""
    parts = {"events": events, "patch": view_of_table(table, row), "private": private or {}}
    return store_change(table, ChangeKind.SEATING, **parts)


def sort_for_locking(sittings: QuerySet[Seat]) -> QuerySet[Seat]:
    """Sort sittings in the order in which one transaction pays wallets, the same at every table.

    Two tables that pay the same people in different orders would deadlock. Bots come last: they all pay into
    the same account.
    """
    return sittings.select_related("user").order_by("user__is_bot", "user_id")


def is_going(sitting: Seat, barred: Collection[int]) -> bool:
    """Return whether this sitting ends with the match.

    It does if the player leaves by a pre-action, has left, is replaced by a bot, or is in `barred`.
    """
    is_last = sitting.is_last_deal and sitting.status == SeatStatus.PLAYING
    has_gone = sitting.status == SeatStatus.LEAVING or sitting.bot_since is not None
    return has_gone or is_last or sitting.user_id in barred


def cash_out_sitting(row: Table, sitting: Seat) -> int:
    """End a sitting and return its stack to its owner. Return the amount paid."""
    row.sittings.filter(pk=sitting.pk).update(status=SeatStatus.LEFT, left_at=Now())
    return return_stack(row, sitting, key=f"seat:{sitting.pk}:cash_out")


def return_stack(row: Table, sitting: Seat, *, key: str) -> int:
    """Pay the whole stack of a sitting back to its owner, without ending the sitting. Return the amount paid."""
    if row.is_free:
        return 0
    return wallet.cash_out(
        seat_id=sitting.pk,
        user_id=None if sitting.user.is_bot else sitting.user_id,
        currency=Currency(row.currency),
        key=key,
        subject=f"table:{row.pk}",
    )


def build_left_event(sitting: Seat) -> dict[str, JSON]:
    return {"kind": "left_table", "seat": sitting.number, "player": sitting.user_id}


def call_bots(table: LockedTable, row: Table) -> None:
    """Schedule the next practice bot to sit down."""
    if row.status != TableStatus.PLAYING:
        missing = needs_bots(row)
        table.bot_due = table.now + pause_within(BOT_SITS_PAUSE) if missing else None


def needs_bots(row: Table) -> bool:
    """Return whether a person at this table waits for one more practice bot. Hosted tables wait for none."""
    if row.is_hosted or not row.bots_wanted:
        return False
    seated = row.sittings.filter(left_at__isnull=True)
    bots = seated.filter(user__is_bot=True).count()
    people = seated.count() - bots
    return people > 0 and bots < row.bots_wanted and bots + people < row.max_seats


def fill_with_bots(table: LockedTable, row: Table) -> None:
    """Seat bots on the free seats of a hosted table for the match that begins.

    The bots of the last match take their seats again. Seats reserved for people stay free.
    """
    sittings = list(row.sittings.filter(left_at__isnull=True))
    taken = {sitting.number for sitting in sittings}
    free = [number for number in range(row.max_seats) if number not in taken]
    kept = row.queue.filter(offered_until__gt=Now()).count()
    wanted = min(row.bots_wanted, len(free) - kept)
    if wanted <= 0:
        return
    bots = {bot.pk: bot for bot in get_practice_bots()}
    last = {} if row.match is None else row.match.players
    again = {number: last[str(number)]["user"] for number in free if str(number) in last}
    seats = {number: user for number, user in again.items() if user in bots}
    others = [pk for pk in bots if pk not in seats.values()]
    secrets.SystemRandom().shuffle(others)
    for number in free:
        if number not in seats and others:
            seats[number] = others.pop()
    chosen = sorted(seats, key=lambda number: (number not in again, number))[:wanted]
    Seat.objects.bulk_create(
        Seat(table=row, number=number, user=bots[seats[number]]) for number in chosen
    )
    record_bot_seats(table, row)


def is_deserted_lesson(row: Table) -> bool:
    """Return whether the only person has left a lesson. Nobody else may sit there, so it is to be closed."""
    return row.is_lesson and not row.sittings.filter(left_at=None, user__is_bot=False).exists()


def send_bots_away(table: LockedTable, row: Table) -> None:
    """Stand all bots up: they play only with people, not with each other."""
    for sitting in row.sittings.filter(left_at__isnull=True, user__is_bot=True):
        cash_out_sitting(row, sitting)
    record_bot_seats(table, row)


def record_bot_seats(table: LockedTable, row: Table) -> None:
    """Store which seats bots play, so that a move needs no join."""
    of_bots = Q(user__is_bot=True) | Q(bot_since__isnull=False)
    seats = row.sittings.filter(of_bots, left_at__isnull=True)
    table.bot_seats = sorted(seats.values_list("number", flat=True))
    Table.objects.filter(pk=row.pk).update(bot_seats=table.bot_seats)


BOT_SITS_PAUSE = (300, 600)


def pause_within(bounds: tuple[Instant, Instant]) -> Instant:
    shortest, longest = bounds
    return shortest + secrets.randbelow(longest - shortest + 1)
