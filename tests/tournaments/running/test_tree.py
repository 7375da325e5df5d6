"""R10.4c: a table of the next round begins as soon as the tables that feed it have ended."""

from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone

from tables.live.clock import act_on_table
from tables.models import Match, Table
from tests.given import require
from tests.tournaments.driving import (
    assert_books_balance,
    begin,
    chips_of,
    end_break,
    enter,
    open_tables,
    play_table,
    play_to_the_end,
    pool_of,
    tick_and_reload,
)
from tournaments.desk.staff import disqualify, pause, resume
from tournaments.models import EntrantState, Round, RoundSeat, RoundTable, Tournament
from tournaments.rules.lifecycle import LifecycleStatus
from tournaments.running.cancelling import cancel
from tournaments.running.tick import tick
from tournaments.store.reading import list_invitations
from wallet.ledger.checks import reconcile

pytestmark = pytest.mark.django_db


@pytest.fixture
def fixed_tree(start_tournament):
    """A tournament with a known tree: four tables of three, two tables of two, and a final."""
    return start_tournament(
        12, seats=3, qualifiers=1, seats_early=True, break_seconds=90, payout_table=[[1, 10_000]]
    )


def play(tournament, *numbers):
    """Play these tables of the first round to their end, and let a tick process the results."""
    for table in RoundTable.objects.filter(round__number=1, number__in=numbers):
        play_table(table.table)
    tick_and_reload(tournament)


def seats_of(tournament, number, table):
    return RoundSeat.objects.filter(
        round__tournament=tournament, round__number=number, round_table__number=table
    ).select_related("entrant")


def test_r10_4c_tables_are_filled_while_others_still_play(fixed_tree):
    play(fixed_tree, 1, 2)
    winners = {seats_of(fixed_tree, 1, number).get(goes_on=True).entrant_id for number in (1, 2)}
    # The winners have their break, and the losers know that they are out.
    assert (fixed_tree.status, fixed_tree.round_number) == (LifecycleStatus.PLAYING, 1)
    last_end = require(RoundTable.objects.exclude(ended_at=None).latest("ended_at").ended_at)
    assert fixed_tree.next_round_at == fixed_tree.due_at == last_end + timedelta(seconds=90)
    assert fixed_tree.entrants.filter(state=EntrantState.OUT, round_out=1).count() == 4
    end_break(fixed_tree)
    assert {seat.entrant_id for seat in seats_of(fixed_tree, 2, 1)} == winners
    assert (fixed_tree.status, fixed_tree.round_number) == (LifecycleStatus.PLAYING, 2)
    rounds = Round.objects.order_by("number").values_list("number", "is_drawn", "ended_at")
    assert list(rounds) == [
        (1, True, None),
        (2, False, None),
    ]
    assert len(open_tables(fixed_tree)) == 3
    entrant = seats_of(fixed_tree, 2, 1)[0].entrant
    (invited,) = list_invitations(entrant.user_id)
    assert invited.table_id == seats_of(fixed_tree, 2, 1)[0].round_table.table_id


def test_r10_4c_a_fixed_tree_is_played_to_the_end(fixed_tree):
    play(fixed_tree, 1, 2)
    end_break(fixed_tree)
    play_table(RoundTable.objects.get(round__number=2).table)
    assert (
        tick_and_reload(fixed_tree).entrants.filter(state=EntrantState.OUT, round_out=2).count()
        == 1
    )
    assert play_to_the_end(fixed_tree).status == LifecycleStatus.FINISHED
    rounds = Round.objects.order_by("number").values_list("number", "is_final")
    assert list(rounds) == [(1, False), (2, False), (3, True)]
    assert not Round.objects.filter(ended_at=None).exists()
    assert RoundTable.objects.filter(resolved_at=None).count() == 0
    out = fixed_tree.entrants.order_by("place").values_list("round_out", flat=True)
    assert list(out) == [3, 3, 2, 2, *[1] * 8]
    ranks = list(fixed_tree.entrants.order_by("place").values_list("rank", flat=True))
    assert ranks[:2] == [1, 2]
    winner = fixed_tree.entrants.get(place=1)
    assert winner.prize == 1_080
    assert chips_of(winner.user) == 9_900 + 1_080
    assert_books_balance(fixed_tree)


def test_no_player_is_seated_during_their_break(fixed_tree):
    play(fixed_tree, 1, 2, 3)
    tick()
    assert not Round.objects.filter(number=2).exists()
    (early, late) = RoundTable.objects.filter(number__in=[1, 2]).order_by("number")
    # The break begins when the later of the two tables ends.
    RoundTable.objects.filter(pk=early.pk).update(ended_at=F("ended_at") - timedelta(hours=1))
    Tournament.objects.filter(pk=fixed_tree.pk).update(
        next_round_at=timezone.now(), due_at=timezone.now()
    )
    tick_and_reload(fixed_tree)
    assert not Round.objects.filter(number=2).exists()
    late.refresh_from_db()
    assert fixed_tree.next_round_at == require(late.ended_at) + timedelta(seconds=90)


def test_the_place_of_a_player_disqualified_in_the_break_stays_empty(fixed_tree):
    play(fixed_tree, 1, 2)
    gone = seats_of(fixed_tree, 1, 1).get(goes_on=True).entrant
    other = seats_of(fixed_tree, 1, 2).get(goes_on=True).entrant
    disqualify(tournament_id=fixed_tree.pk, user_id=gone.user_id)
    end_break(fixed_tree)
    # Nobody is left as an opponent in round 2, so the other player has a bye to the final.
    bye = RoundSeat.objects.get(round__number=2)
    assert (bye.entrant_id, bye.round_table_id) == (other.pk, None)
    assert play_to_the_end(fixed_tree).status == LifecycleStatus.FINISHED
    gone.refresh_from_db()
    assert (gone.state, gone.rank, gone.prize) == (EntrantState.DISQUALIFIED, None, 0)
    assert {e.round_out for e in fixed_tree.entrants.filter(place__in=[1, 2])} == {3}
    assert reconcile().findings == ()


def test_the_place_of_a_player_disqualified_at_a_table_goes_to_the_next(fixed_tree):
    table = RoundTable.objects.get(number=1)
    play_table(table.table)
    best = seats_of(fixed_tree, 1, 1).order_by("rank", "entrant__seeding").first().entrant
    disqualify(tournament_id=fixed_tree.pk, user_id=best.user_id)
    tick()
    (going,) = seats_of(fixed_tree, 1, 1).filter(goes_on=True)
    assert going.entrant_id != best.pk


def test_a_paused_tournament_seats_no_player(fixed_tree):
    play(fixed_tree, 1, 2)
    pause(tournament_id=fixed_tree.pk, now=timezone.now())
    end_break(fixed_tree)
    assert not Round.objects.filter(number=2).exists()
    resume(tournament_id=fixed_tree.pk, now=timezone.now())
    end_break(fixed_tree)
    assert Round.objects.filter(number=2).exists()


def test_a_tournament_can_be_cancelled_while_two_rounds_run(fixed_tree):
    play(fixed_tree, 1, 2)
    end_break(fixed_tree)
    cancel(tournament_id=fixed_tree.pk, now=timezone.now(), reason="A storm.")
    assert tick_and_reload(fixed_tree).status == LifecycleStatus.CANCELLED
    assert fixed_tree.wound_up_at is not None
    assert pool_of(fixed_tree) == 0
    assert not Round.objects.filter(ended_at=None).exists()
    assert reconcile().findings == ()


def test_no_table_is_filled_during_late_registration(start_tournament, make_player):
    tournament = start_tournament(
        6, seats=3, qualifiers=1, seats_early=True, late_seconds=600, break_seconds=0
    )
    play(tournament, 1, 2)
    assert not RoundTable.objects.exclude(resolved_at=None).exists()
    enter(tournament, make_player())
    Tournament.objects.filter(pk=tournament.pk).update(
        late_until=timezone.now(), due_at=timezone.now()
    )
    tick_and_reload(tournament)
    # The latecomer has a bye and meets the two winners in the final.
    assert RoundSeat.objects.filter(round__number=2).count() == 0
    end_break(tournament)
    assert RoundSeat.objects.filter(round__number=2, round__is_final=True).count() == 3


def test_rounds_with_rebuys_are_drawn(start_tournament):
    tournament = start_tournament(9, seats=3, qualifiers=1, seats_early=True, rebuys=1)
    play(tournament, 1)
    assert not RoundTable.objects.exclude(resolved_at=None).exists()
    play(tournament, 2, 3)
    assert tournament.status == LifecycleStatus.BREAK
    end_break(tournament)
    assert Round.objects.get(number=2).is_drawn
    assert play_to_the_end(tournament).status == LifecycleStatus.FINISHED


# --- Heads-up -------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 5, 8])
def test_a_heads_up_bracket_is_played_to_the_end(start_tournament, make_player, players):
    """R10.9: the losers of the semi-finals play for third place, and prizes follow the last round."""
    people = [make_player() for _ in range(players)]
    tournament = start_tournament(
        people,
        format="heads-up",
        seats=2,
        qualifiers=1,
        break_seconds=0,
        payout_table=[[1, 5_000], [1, 3_000], [1, 2_000]],
    )
    assert play_to_the_end(tournament).status == LifecycleStatus.FINISHED
    ranks = list(tournament.entrants.order_by("place").values_list("rank", flat=True))
    assert ranks[: min(players, 4)] == [1, 2, 3, 4][:players]
    last = tournament.round_number
    final_round = RoundTable.objects.filter(round__number=last).order_by("number")
    assert final_round.count() == {2: 1, 3: 1}.get(players, 2)
    first_two = {seat.entrant.place for seat in seats_of(tournament, last, 1)}
    assert first_two == {1, 2}
    if players > 3:
        assert {seat.entrant.place for seat in seats_of(tournament, last, 2)} == {3, 4}
    assert Match.objects.count() == players - 1 + (players > 3)
    assert sum(tournament.entrants.values_list("prize", flat=True)) == 90 * players
    assert reconcile().findings == ()


def test_third_place_is_won_without_an_opponent(start_tournament):
    tournament = start_tournament(4, format="heads-up", seats=2, qualifiers=1, break_seconds=0)
    play_table(RoundTable.objects.get(number=1).table)
    tick()
    loser = seats_of(tournament, 1, 1).order_by("rank", "-entrant__seeding").last().entrant
    disqualify(tournament_id=tournament.pk, user_id=loser.user_id)
    assert play_to_the_end(tournament).status == LifecycleStatus.FINISHED
    ranks = tournament.entrants.exclude(pk=loser.pk).order_by("place")
    assert list(ranks.values_list("rank", flat=True)) == [1, 2, 3]
    assert reconcile().findings == ()


# --- Overtime, and bots alone ---------------------------------------------------------------------


def test_r10_4b_tables_are_opened_with_the_overtime_of_the_terms(start_tournament):
    tournament = start_tournament(
        2, round_seconds=600, overtime_turn_seconds=12, overtime_seconds=90
    )
    (table,) = open_tables(tournament)
    ends_at = table.deadline_at + timedelta(seconds=600)
    assert table.overtime_at == ends_at == Round.objects.get().ends_at
    assert table.overtime_turn_seconds == 12
    assert table.count_at == ends_at + timedelta(seconds=90)


def test_r10_4b_without_overtime_deals_are_played_to_their_end(start_tournament):
    tournament = start_tournament(2, overtime_turn_seconds=0)
    (table,) = open_tables(tournament)
    assert (table.overtime_at, table.overtime_turn_seconds, table.count_at) == (None, None, None)


def test_tables_of_bots_play_at_once_and_without_pauses(make_tournament_of, make_player):
    tournament = make_tournament_of(seats=2, qualifiers=1, deals=2, bots_to=4)
    enter(tournament, make_player())
    began = timezone.now()
    begin(tournament)
    with_person, of_bots = sorted(open_tables(tournament), key=lambda table: len(table.bot_seats))
    assert with_person.deadline_at > began + timedelta(seconds=5)
    assert of_bots.deadline_at < with_person.deadline_at
    pauses = _play_by_due_times(of_bots)
    assert pauses
    assert max(pauses) <= timedelta(milliseconds=50)


def _play_by_due_times(table):
    """Play the table to its end. Return how long the clock would have waited before each step."""
    pauses: list[timedelta] = []
    while True:
        table.refresh_from_db()
        if table.closed_at is not None:
            return pauses
        wait = table.due_at - timezone.now()
        pauses.append(wait)
        if wait > timedelta(0):
            Table.objects.filter(pk=table.pk).update(
                bot_due_at=F("bot_due_at") - wait, deadline_at=F("deadline_at") - wait
            )
        act_on_table(table.pk)
