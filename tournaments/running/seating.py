"""Seating: opening the tables of a round, and calling their players."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import TYPE_CHECKING, cast

from games.registry import get_game
from tables.play.seats import list_pairs_kept_apart
from tables.seating.events import EventTable, EventTerms, Guest, TableOvertime, open_event_tables
from tournaments.models import Entrant, Round, RoundSeat, RoundTable, Tournament
from tournaments.rules import bracket
from tournaments.rules.lifecycle import SECONDS_WITHOUT_NEW_DEALS
from tournaments.store.announcements import Invitation, invite
from tournaments.store.rows import build_random
from wallet.money import Currency

if TYPE_CHECKING:
    from games.engine.base import JSON, Strength

# Time to get to the table before the first deal of a round.
GATHERING = timedelta(seconds=10)
_WITHOUT_NEW_DEALS = timedelta(seconds=SECONDS_WITHOUT_NEW_DEALS)
_BATCH = 2_000


def seat_players(
    tournament: Tournament, round_: Round, players: Sequence[Entrant], *, now: datetime
) -> None:
    """Draw tables for these players of a round, and open the tables. A single player has a bye."""
    by_seeding = {get_seeding(player): player for player in players}
    if len(players) == 1:  # alone among the latecomers
        _give_byes(tournament, round_, players)
        return
    seating = tournament.format_rules.seat(
        list(by_seeding),
        structure=tournament.structure,
        had_bye=_list_seedings_with_bye(tournament),
        rng=build_random(tournament, f"round {round_.number} of {min(by_seeding)}"),
    )
    seating = bracket.separate_pairs(seating, _list_pairs_apart(players))
    first = round_.round_tables.count() + 1
    seat_groups(
        tournament,
        round_,
        {
            number: [by_seeding[seeding] for seeding in table]
            for number, table in enumerate(seating.tables, start=first)
        },
        now=now,
    )
    _give_byes(tournament, round_, [by_seeding[bye] for bye in seating.byes])


def _give_byes(tournament: Tournament, round_: Round, players: Sequence[Entrant]) -> None:
    RoundSeat.objects.bulk_create(
        [
            RoundSeat(round=round_, entrant=player, chips=get_stack(tournament, player))
            for player in players
        ],
        batch_size=_BATCH,
    )


def _list_pairs_apart(players: Sequence[Entrant]) -> list[frozenset[int]]:
    """Return the seeds of each pair of players whom staff have decided to keep apart."""
    seedings = {player.user_id: get_seeding(player) for player in players}
    return [frozenset(map(seedings.__getitem__, pair)) for pair in list_pairs_kept_apart(seedings)]


def seat_groups(
    tournament: Tournament,
    round_: Round,
    groups: Mapping[int, Sequence[Entrant]],
    *,
    now: datetime,
) -> None:
    """Open the tables of a round and call their players. `groups` maps each table number to its players."""
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
    invite(
        [
            Invitation(
                player.user_id,
                tournament.pk,
                round_table.table_id,
                chair,
                tournament.said("name", player.user.language),
            )
            for round_table, chair, player in seated
            if not player.user.is_bot
        ]
    )


def _open_tables(
    tournament: Tournament, round_: Round, groups: Mapping[int, Sequence[Entrant]], *, now: datetime
) -> list[RoundTable]:
    opened: list[RoundTable] = []
    numbered = sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    # Tables of one size have the same rules.
    for size, alike in groupby(numbered, key=lambda pair: len(pair[1])):
        some = list(alike)
        going_on = tournament.format_rules.count_going_on(size, tournament.structure)
        places = 1 if round_.is_final else going_on
        tables = open_event_tables(
            _build_terms(tournament, places=places, now=now),
            [
                EventTable(
                    name=_name_table(tournament.name, round_, number),
                    words={
                        language: {"name": _name_table(words["name"], round_, number)}
                        for language, words in tournament.words.items()
                        if "name" in words
                    },
                    guests=[Guest(player.user_id, player.user.is_bot) for player in group],
                    rules=_rules_with_stacks(tournament, round_, group, places=places),
                )
                for number, group in some
            ],
        )
        opened += [
            RoundTable(round=round_, number=number, table=table)
            for (number, _group), table in zip(some, tables, strict=True)
        ]
    return RoundTable.objects.bulk_create(opened, batch_size=_BATCH)


def _name_table(name: str, round_: Round, number: int) -> str:
    return f"{name} · {round_.number}.{number}"


def get_stack(tournament: Tournament, player: Entrant) -> int | None:
    """Return a player's chips for the next round (R10.11), or None if each round begins with the same chips."""
    if not tournament.format_rules.keeps_chips:
        return None
    return tournament.starting_stack if player.chips is None else player.chips


def _rules_with_stacks(
    tournament: Tournament, round_: Round, group: Sequence[Entrant], *, places: int
) -> dict[str, "JSON"] | None:
    """Return a table's own rules if its players bring stacks (R10.11), otherwise None."""
    stacks = [stack for player in group if (stack := get_stack(tournament, player)) is not None]
    if not stacks:
        return None
    rules = tournament.build_staked_rules(places=places, number=round_.number, stacks=stacks)
    return get_game(tournament.game).rules.json(rules)


def ends_of_tables(tournament: Tournament, *, now: datetime) -> datetime:
    """Return the time limit for tables that are opened now."""
    return now + GATHERING + timedelta(seconds=tournament.round_seconds)


def _build_terms(tournament: Tournament, *, places: int, now: datetime) -> EventTerms:
    ends_at = ends_of_tables(tournament, now=now)
    overtime = TableOvertime(
        begins_at=ends_at,
        turn_seconds=tournament.overtime_turn_seconds,
        count_at=ends_at + timedelta(seconds=tournament.overtime_seconds),
    )
    return EventTerms(
        event_url=tournament.get_absolute_url(),
        game=tournament.game,
        rules=dict(build_rules(tournament, places=places)),
        currency=Currency(tournament.currency),
        starts_at=now + GATHERING,
        last_deal_at=ends_at - _WITHOUT_NEW_DEALS,
        overtime=overtime if tournament.overtime_turn_seconds else None,
        bot_strength=cast("Strength", tournament.bot_strength),
        allows_api_players=tournament.allows_api_players,
        invite_code=tournament.invite_code,
    )


def build_rules(tournament: Tournament, *, places: int) -> dict[str, "JSON"]:
    """Return the rule set of tables from which `places` players advance."""
    return get_game(tournament.game).rules.json(tournament.rules(places=places))


def _list_seedings_with_bye(tournament: Tournament) -> set[int]:
    byes = RoundSeat.objects.filter(round__tournament=tournament, round_table=None)
    return {get_seeding(seat.entrant) for seat in byes.select_related("entrant")}


def get_seeding(entrant: Entrant) -> int:
    """Return the place in the draw of an entrant who has been drawn."""
    assert entrant.seeding is not None  # noqa: S101 - all who play have been drawn
    return entrant.seeding
