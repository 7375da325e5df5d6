"""R10.11 in the database: stacks carried from round to round, qualification, and the end."""

import pytest

from games.engine.base import InvalidRules
from games.registry import get_game
from tables.models import Match, Table
from tests.tournaments.driving import (
    begin,
    chips_of,
    end_break,
    enter,
    open_tables,
    pool_of,
    tick_and_reload,
)
from tournaments.desk.staff import disqualify
from tournaments.models import Entrant, EntrantState, Round, RoundSeat, RoundTable
from tournaments.pages.round_status import round_status
from tournaments.rules.lifecycle import LifecycleStatus
from tournaments.store.ranks import live_ranks, rank_entrants

pytestmark = pytest.mark.django_db


@pytest.fixture
def shoot_out(make_tournament_of, make_player):
    """Return a function that starts a shoot-out of `field` players, each with 560 chips.

    A round has one deal. The rounds are played at 1, 2 and 4 chips a point.
    """

    def make(field, **terms):
        given = {"seats": 3, "format": "shoot-out", "stakes": "1, 2, 4", "deals": 1, **terms}
        tournament = make_tournament_of(**given)
        players = [make_player() for _ in range(field)]
        enter(tournament, *players)
        return tournament, players

    return make


def give(tournament, stacks):
    """End the round's tables with these chips, given by user id."""
    seats = RoundSeat.objects.filter(round__tournament=tournament, round__ended_at=None)
    for seat in seats.select_related("entrant"):
        if seat.round_table_id is not None:
            seat.chips, seat.rank = stacks[seat.entrant.user_id], 1
            seat.save()
    running = RoundTable.objects.filter(round__tournament=tournament, ended_at=None)
    for table in running:
        Table.objects.filter(pk=table.table_id).update(status="CLOSED")
        Match.objects.filter(table_id=table.table_id).update(status="CANCELLED")
    running.update(ended_at=tournament.started_at)
    tick_and_reload(tournament)


def status_of(tournament, seat):
    status = round_status(tournament, user_id=seat.entrant.user_id)
    assert status is not None
    assert status.own is not None
    assert status.stake is not None
    return status, status.own, status.stake


def rules_of_tables(tournament):
    return [table.rules for table in open_tables(tournament)]


def stacks_at_tables(tournament):
    return {
        seat.user_id: table.rules["stacks"][seat.number]
        for table in open_tables(tournament)
        for seat in table.sittings.all()
    }


def test_all_players_begin_with_the_chips_of_all_rounds(shoot_out):
    tournament, players = shoot_out(6)
    assert begin(tournament).starting_stack == 560
    assert stacks_at_tables(tournament) == {player.pk: 560 for player in players}
    assert [rules["point_chips"] for rules in rules_of_tables(tournament)] == [1, 1]
    assert not Round.objects.get().is_final


def test_chips_are_kept_and_the_stake_rises(shoot_out):
    tournament, players = shoot_out(6)
    begin(tournament)
    first = {player.pk: 500 + 20 * number for number, player in enumerate(players)}
    give(tournament, first)
    assert tournament.status == LifecycleStatus.BREAK
    assert dict(tournament.entrants.values_list("user_id", "chips")) == first
    end_break(tournament)
    assert stacks_at_tables(tournament) == first
    assert [rules["point_chips"] for rules in rules_of_tables(tournament)] == [2, 2]


def test_players_who_cannot_pay_are_out_and_the_richest_play_the_final(shoot_out):
    tournament, players = shoot_out(6)
    begin(tournament)
    stacks = dict(zip([p.pk for p in players], (1_000, 160, 159, 800, 700, 541), strict=True))
    give(tournament, stacks)
    out = Entrant.objects.get(user=players[2])
    assert (out.state, out.round_out, out.chips) == (EntrantState.OUT, 1, 159)
    end_break(tournament)
    give(tournament, {**stacks, players[1].pk: 319, players[5].pk: 320, players[4].pk: 321})
    end_break(tournament)
    assert Round.objects.get(number=3).is_final
    assert stacks_at_tables(tournament) == {
        players[0].pk: 1_000,
        players[3].pk: 800,
        players[4].pk: 321,
    }
    assert rules_of_tables(tournament)[0]["qualifiers"] == 1
    assert rules_of_tables(tournament)[0]["point_chips"] == 4


def test_the_shoot_out_ends_when_one_player_can_pay(shoot_out):
    tournament, players = shoot_out(3)
    begin(tournament)
    give(tournament, {players[0].pk: 100, players[1].pk: 1_500, players[2].pk: 80})
    assert end_break(tournament).status == LifecycleStatus.FINISHED
    placed = {e.user_id: (e.rank, e.chips) for e in tournament.entrants.all()}
    assert placed == {players[1].pk: (1, 1_500), players[0].pk: (2, 100), players[2].pk: (3, 80)}
    assert pool_of(tournament) == 0


def test_the_round_decides_if_no_player_can_pay(shoot_out):
    tournament, players = shoot_out(2, seats=2, qualifiers=1, start_chips=80, stakes="1, 2")
    begin(tournament)
    give(tournament, {players[0].pk: 81, players[1].pk: 79})
    assert tournament.status == LifecycleStatus.FINISHED
    assert tournament.entrants.get(user=players[0]).rank == 1
    # 90 % of two fees of 100, by 50:30.
    assert chips_of(players[0]) - chips_of(players[1]) == 113 - 67


def test_a_disqualified_player_does_not_play_on_and_has_no_rank(shoot_out):
    tournament, players = shoot_out(3)
    begin(tournament)
    disqualify(tournament_id=tournament.pk, user_id=players[0].pk)
    give(tournament, {players[0].pk: 900, players[1].pk: 400, players[2].pk: 380})
    end_break(tournament)
    assert set(stacks_at_tables(tournament)) == {players[1].pk, players[2].pk}
    ranks = live_ranks(rank_entrants(tournament), after=0)
    assert [(r.entrant.user_id, r.rank, r.score) for r in ranks] == [
        (players[1].pk, 1, 400),
        (players[2].pk, 2, 380),
        (players[0].pk, None, None),
    ]


def test_a_finished_table_counts_in_the_ranks_of_a_running_round(shoot_out):
    tournament, players = shoot_out(4, seats=2, qualifiers=1)
    begin(tournament)
    table = RoundTable.objects.earliest("number")
    winner, loser = table.seats.order_by("chair")
    for seat, chips, rank in ((winner, 900, 1), (loser, 159, 2)):
        seat.chips, seat.rank = chips, rank
        seat.save()
    table.ended_at = tournament.started_at
    table.save()
    ranks = live_ranks(rank_entrants(tournament), after=0)
    assert [(r.rank, r.score) for r in ranks] == [(1, 900), (2, 560), (2, 560), (4, 159)]
    _status, own, _stake = status_of(tournament, winner)
    assert (own.goes_on, own.chips) == (True, 900)
    assert status_of(tournament, loser)[1].goes_on is False
    assert len(players) == 4


def test_finalists_are_unknown_before_the_last_round_ends(shoot_out):
    tournament, _players = shoot_out(4, seats=2, qualifiers=1, stakes="1, 2")
    begin(tournament)
    table = RoundTable.objects.earliest("number")
    table.seats.update(chips=400, rank=1)
    RoundTable.objects.filter(pk=table.pk).update(ended_at=tournament.started_at)
    seat = table.seats.select_related("entrant").earliest("chair")
    status, own, stake = status_of(tournament, seat)
    assert (own.goes_on, status.places) == (None, 0)
    assert (stake.now, stake.next, stake.least, stake.finalists) == (1, 2, 160, 2)


@pytest.mark.parametrize("game", ["gin", "rummikub", "basic", "contract", "five_hundred"])
def test_games_whose_points_are_no_chips_refuse_a_shoot_out(make_template, game):
    template = make_template(format="shoot-out", seats=2, qualifiers=1)
    template.game = game
    presets = tuple(get_game(game).rules.presets)
    assert presets
    for template.preset in presets:
        with pytest.raises(InvalidRules):
            template.build_staked_rules(places=1, number=1, stacks=(80, 80))
