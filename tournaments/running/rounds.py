"""A round: seated, joined by latecomers, ended; tables are opened by the table layer."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import TYPE_CHECKING, cast

from games.registry import get_game
from tables.play.seats import kept_apart
from tables.seating.events import (
    EventTable,
    EventTerms,
    Guest,
    Overtime,
    clear_event_tables,
    open_event_tables,
)
from tournaments.core import bulk
from tournaments.core.after_commit import Announcement, Invitation
from tournaments.core.qualifying import finisher_of
from tournaments.core.randomness import chance_of
from tournaments.core.state import state_of
from tournaments.models import Entrant, EntrantState, Round, RoundSeat, RoundTable, Tournament
from tournaments.rules import bracket
from tournaments.rules.bracket import Finisher, TableEnded
from tournaments.rules.lifecycle import SECONDS_WITHOUT_NEW_DEALS
from tournaments.running.barring import withdraw_barred
from wallet.money import Currency

if TYPE_CHECKING:
    from games.engine.base import JSON, Strength

# Time to get to the table before the first deal of a round.
GATHERING = timedelta(seconds=10)
_WITHOUT_NEW_DEALS = timedelta(seconds=SECONDS_WITHOUT_NEW_DEALS)
_BATCH = 2_000


def begin_round(tournament: Tournament, *, now: datetime) -> Announcement:
    """Seat everybody who is in the tournament at the tables of the next round.

    The caller holds the tournament's lock and saves it.
    """
    tournament.round_number += 1
    players = list(
        tournament.entrants.filter(state=EntrantState.PLAYING)
        .select_related("user")
        .order_by("seeding")
    )
    # Entrants who may still come late keep the first round from being the final.
    late = state_of(tournament, now=now).is_late_open and tournament.round_number == 1
    round_ = Round.objects.create(
        tournament=tournament,
        number=tournament.round_number,
        is_final=not late
        and tournament.format_rules.will_be_final(
            len(players), number=tournament.round_number, structure=tournament.structure
        ),
        started_at=now + GATHERING,
        ends_at=ends_of_tables(tournament, now=now),
    )
    return _seat(tournament, round_, players, now=now)


def seat_latecomers(tournament: Tournament, *, now: datetime) -> Announcement:
    """R10.1: those who came late sit at further tables of round 1: full ones while more may come,
    then all who are left. One who is left alone has a bye."""
    withdraw_barred(tournament)
    round_ = Round.objects.get(tournament=tournament, ended_at=None)
    waiting = list(
        tournament.entrants.filter(state=EntrantState.REGISTERED)
        .select_related("user")
        .order_by("entered_at", "pk")
    )
    if state_of(tournament, now=now).is_late_open:
        waiting = waiting[: len(waiting) // tournament.seats * tournament.seats]
    if not waiting:
        return Announcement(changed=(tournament.pk,))
    next_seeding = tournament.entrants.filter(seeding__isnull=False).count()
    seedings = range(next_seeding, next_seeding + len(waiting))
    bulk.give_seedings(zip((entrant.pk for entrant in waiting), seedings, strict=True))
    for entrant, seeding in zip(waiting, seedings, strict=True):
        entrant.seeding = seeding
    return _seat(tournament, round_, waiting, now=now)


def end_round(tournament: Tournament, round_: Round, *, now: datetime) -> None:
    """The best of every table go on (R10.4), the others are out. After the final all are."""
    seats = round_.seats.select_related("entrant").order_by("round_table_id")
    playing = [seat for seat in seats if seat.entrant.state == EntrantState.PLAYING]
    # It turned out to be the final if nobody came late to the one table of round 1.
    tables = round_.round_tables.count()
    byes = sum(seat.round_table_id is None for seat in playing)
    round_.is_final = tournament.format_rules.was_final(
        number=round_.number, tables=tables, byes=byes, structure=tournament.structure
    )
    round_.ended_at = now
    round_.save(update_fields=["is_final", "ended_at"])
    staying = [] if round_.is_final else _going_on(tournament, playing, round_)
    bulk.let_go_on(round_.pk, staying)
    bulk.put_out(round_.pk, number=round_.number, is_final=round_.is_final)
    if tournament.format_rules.keeps_chips:
        bulk.keep_chips(round_.pk)
    round_.round_tables.filter(resolved_at=None).update(resolved_at=now)
    clear_event_tables(list(round_.round_tables.values_list("table_id", flat=True)))


def _going_on(tournament: Tournament, playing: Iterable[RoundSeat], round_: Round) -> list[int]:
    """`playing` in the order of their tables."""
    sizes = Counter(round_.seats.values_list("round_table_id", flat=True))
    by_seeding: dict[int, int] = {}
    tables: list[TableEnded] = []
    byes: tuple[Finisher, ...] = ()
    for table_id, seats in groupby(playing, key=lambda seat: seat.round_table_id):
        some = list(seats)
        by_seeding |= {_seeding(seat.entrant): seat.entrant_id for seat in some}
        finishers = tuple(finisher_of(seat) for seat in some)
        if table_id is None:
            byes = finishers
        else:
            tables.append(TableEnded(sizes[table_id], finishers))
    left = tournament.format_rules.left_after(
        tables, byes, number=round_.number, structure=tournament.structure
    )
    return [by_seeding[seeding] for seeding in left]


def _seat(
    tournament: Tournament, round_: Round, players: Sequence[Entrant], *, now: datetime
) -> Announcement:
    by_seeding = {_seeding(player): player for player in players}
    if len(players) == 1:  # alone among the latecomers
        RoundSeat.objects.create(
            round=round_, entrant=players[0], chips=stack_of(tournament, players[0])
        )
        return Announcement(changed=(tournament.pk,))
    seating = tournament.format_rules.seat(
        list(by_seeding),
        structure=tournament.structure,
        had_bye=_had_bye(tournament),
        rng=chance_of(tournament, f"round {round_.number} of {min(by_seeding)}"),
    )
    seating = bracket.kept_apart(seating, _apart(players))
    first = round_.round_tables.count() + 1
    invitations = seat_groups(
        tournament,
        round_,
        {
            number: [by_seeding[seeding] for seeding in table]
            for number, table in enumerate(seating.tables, start=first)
        },
        now=now,
    )
    RoundSeat.objects.bulk_create(
        [
            RoundSeat(
                round=round_,
                entrant=by_seeding[bye],
                chips=stack_of(tournament, by_seeding[bye]),
            )
            for bye in seating.byes
        ],
        batch_size=_BATCH,
    )
    return Announcement(changed=(tournament.pk,), invitations=tuple(invitations))


def _apart(players: Sequence[Entrant]) -> list[frozenset[int]]:
    """The seedings of every two whom staff keep apart."""
    seedings = {player.user_id: _seeding(player) for player in players}
    return [frozenset(map(seedings.__getitem__, pair)) for pair in kept_apart(seedings)]


def seat_groups(
    tournament: Tournament,
    round_: Round,
    groups: Mapping[int, Sequence[Entrant]],
    *,
    now: datetime,
) -> list[Invitation]:
    """Open the tables of a round with these numbers, and call their people."""
    round_tables = _open_tables(tournament, round_, groups, now=now)
    seated = [
        (round_table, chair, player)
        for round_table in round_tables
        for chair, player in enumerate(groups[round_table.number])
    ]
    RoundSeat.objects.bulk_create(
        [
            RoundSeat(round=round_, entrant=player, round_table=round_table, chair=chair)
            for round_table, chair, player in seated
        ],
        batch_size=_BATCH,
    )
    return [
        Invitation(
            player.user_id,
            tournament.pk,
            round_table.table_id,
            tournament.said("name", player.user.language),
        )
        for round_table, _chair, player in seated
        if not player.user.is_bot
    ]


def _open_tables(
    tournament: Tournament, round_: Round, groups: Mapping[int, Sequence[Entrant]], *, now: datetime
) -> list[RoundTable]:
    opened: list[RoundTable] = []
    numbered = sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    # Tables of one size have the same rules.
    for size, alike in groupby(numbered, key=lambda pair: len(pair[1])):
        some = list(alike)
        going_on = tournament.format_rules.going_on(size, tournament.structure)
        places = 1 if round_.is_final else going_on
        tables = open_event_tables(
            _terms(tournament, places=places, now=now),
            [
                EventTable(
                    name=_numbered(tournament.name, round_, number),
                    words={
                        language: {"name": _numbered(words["name"], round_, number)}
                        for language, words in tournament.words.items()
                        if "name" in words
                    },
                    guests=[Guest(player.user_id, player.user.is_bot) for player in group],
                    rules=_staked(tournament, round_, group, places=places),
                )
                for number, group in some
            ],
        )
        opened += [
            RoundTable(round=round_, number=number, table=table)
            for (number, _group), table in zip(some, tables, strict=True)
        ]
    return RoundTable.objects.bulk_create(opened, batch_size=_BATCH)


def _numbered(name: str, round_: Round, number: int) -> str:
    return f"{name} · {round_.number}.{number}"


def stack_of(tournament: Tournament, player: Entrant) -> int | None:
    """R10.11: what somebody brings to the next round; None where each round begins anew."""
    if not tournament.format_rules.keeps_chips:
        return None
    return tournament.starting_stack if player.chips is None else player.chips


def _staked(
    tournament: Tournament, round_: Round, group: Sequence[Entrant], *, places: int
) -> dict[str, "JSON"] | None:
    """A table's own rules, where its players bring different stacks."""
    stacks = [stack for player in group if (stack := stack_of(tournament, player)) is not None]
    if not stacks:
        return None
    rules = tournament.staked_rules(places=places, number=round_.number, stacks=stacks)
    return get_game(tournament.game).rules.json(rules)


def ends_of_tables(tournament: Tournament, *, now: datetime) -> datetime:
    """The time limit of tables that are opened now."""
    return now + GATHERING + timedelta(seconds=tournament.round_seconds)


def _terms(tournament: Tournament, *, places: int, now: datetime) -> EventTerms:
    ends_at = ends_of_tables(tournament, now=now)
    overtime = Overtime(
        begins_at=ends_at,
        turn_seconds=tournament.overtime_turn_seconds,
        count_at=ends_at + timedelta(seconds=tournament.overtime_seconds),
    )
    return EventTerms(
        event_url=tournament.get_absolute_url(),
        game=tournament.game,
        rules=dict(rules_of(tournament, places=places)),
        currency=Currency(tournament.currency),
        starts_at=now + GATHERING,
        last_deal_at=ends_at - _WITHOUT_NEW_DEALS,
        overtime=overtime if tournament.overtime_turn_seconds else None,
        bot_strength=cast("Strength", tournament.bot_strength),
        allows_api_players=tournament.allows_api_players,
        invite_code=tournament.invite_code,
    )


def rules_of(tournament: Tournament, *, places: int) -> dict[str, "JSON"]:
    """The rule set of the tournament's tables from which so many go on."""
    return get_game(tournament.game).rules.json(tournament.rules(places=places))


def _had_bye(tournament: Tournament) -> set[int]:
    byes = RoundSeat.objects.filter(round__tournament=tournament, round_table=None)
    return {_seeding(seat.entrant) for seat in byes.select_related("entrant")}


def _seeding(entrant: Entrant) -> int:
    assert entrant.seeding is not None  # noqa: S101 - all who play have been drawn
    return entrant.seeding
