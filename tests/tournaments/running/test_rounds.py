"""R10.3 to R10.7: seating, qualification, latecomers, time limits and prizes."""

from datetime import timedelta

import pytest
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from tables.models import Match, MatchStatus, PairEvidence, Seat, Table, TableStatus
from tests.given import require
from tests.refusals import refused
from tests.tournaments.driving import (
    assert_books_balance,
    begin,
    chips_of,
    end_break,
    end_late_registration,
    enter,
    list_table_sizes,
    open_tables,
    play_round,
    play_table,
    play_to_the_end,
    pool_of,
    tick_and_reload,
)
from tournaments.desk.staff import disqualify, pause, resume
from tournaments.models import EntrantState, Round, RoundSeat, RoundTable, Ticket, Tournament
from tournaments.refusals import NOT_REGISTERED
from tournaments.rules.lifecycle import LifecycleStatus
from tournaments.running.tick import tick
from wallet.ledger import chart
from wallet.ledger.balances import balance
from wallet.ledger.checks import reconcile
from wallet.money import Currency

pytestmark = pytest.mark.django_db


# --- The start ------------------------------------------------------------------------------------


def test_r10_3_fewer_than_the_minimum_are_refunded_whole(make_tournament_of, make_player):
    tournament, player = make_tournament_of(min_entrants=3), make_player()
    enter(tournament, player, make_player())
    assert begin(tournament).status == LifecycleStatus.CANCELLED
    assert (chips_of(player), pool_of(tournament)) == (10_000, 0)
    assert not Table.objects.exists()
    assert reconcile().findings == ()


def test_r10_3_players_kept_apart_by_staff_sit_at_different_tables(make_tournament_of, make_player):
    tournament = make_tournament_of(seats=4)
    players = [make_player() for _ in range(8)]
    for low, high in zip(players[::2], players[1::2], strict=True):
        PairEvidence.objects.create(low=low, high=high, kept_apart_since=timezone.now())
    enter(tournament, *players)
    begin(tournament)
    assert list_table_sizes(tournament) == [4, 4]
    tables = dict(Seat.objects.filter(user__in=players, left_at=None).values_list("user", "table"))
    for low, high in zip(players[::2], players[1::2], strict=True):
        assert tables[low.pk] != tables[high.pk]


def test_r10_3_every_player_sits_once_at_tables_of_similar_sizes(start_tournament, make_player):
    players = [make_player() for _ in range(13)]
    tournament = start_tournament(players, seats=6)
    assert list_table_sizes(tournament) == [4, 4, 5]
    seated = Seat.objects.values_list("user_id", flat=True)
    assert sorted(seated) == sorted(player.pk for player in players)
    for table in open_tables(tournament):
        assert table.status == TableStatus.STARTING
        assert table.rules["deals"] == 1
        assert table.rules["qualifiers"] == 2
        assert table.deadline_at > timezone.now()
        assert table.last_deal_at - table.deadline_at == timedelta(seconds=1_200 - 30)


def test_r10_3_at_tables_of_two_the_best_seeded_player_has_a_bye(start_tournament):
    tournament = start_tournament(5, seats=2, qualifiers=1)
    bye = RoundSeat.objects.select_related("entrant").get(round_table=None)
    assert bye.entrant.seeding == 0
    play_round(tournament)
    end_break(tournament)
    second = RoundSeat.objects.get(round__number=2, round_table=None)
    assert second.entrant_id != bye.entrant_id
    play_to_the_end(tournament)
    rounds = Round.objects.order_by("number").values_list("number", "is_final")
    assert list(rounds) == [(1, False), (2, False), (3, True)]


def test_r10_5_absent_players_miss_turns_and_a_single_table_is_the_final(start_tournament):
    tournament = start_tournament(4)
    (table,) = open_tables(tournament)
    assert table.rules["qualifiers"] == 1
    play_to_the_end(tournament)
    assert Round.objects.get().is_final
    assert Match.objects.get().status == MatchStatus.FINISHED
    assert tournament.entrants.get(place=1).rank == 1


# --- Rounds ---------------------------------------------------------------------------------------


def test_r10_4_the_best_players_of_every_table_go_on(start_tournament):
    tournament = start_tournament(9, seats=3, qualifiers=1)
    assert play_round(tournament).status == LifecycleStatus.BREAK
    for table in RoundTable.objects.all():
        (best,) = table.seats.filter(goes_on=True)
        assert best.rank == 1
        others = table.seats.filter(goes_on=False).select_related("entrant")
        for seat in others:
            assert require(seat.rank) > 1 or require(seat.entrant.seeding) > require(
                best.entrant.seeding
            )
            assert (seat.entrant.state, seat.entrant.round_out) == (EntrantState.OUT, 1)
            assert seat.entrant.chips == seat.chips
    assert tournament.entrants.filter(state=EntrantState.PLAYING).count() == 3
    assert not Seat.objects.filter(left_at=None).exists()
    assert tournament.next_round_at == tournament.due_at


def test_the_next_round_waits_for_the_break(start_tournament):
    tournament = start_tournament(4, seats=3, qualifiers=1, break_seconds=90)
    play_round(tournament)
    for _ in range(2):
        tick()
    tournament.refresh_from_db()
    assert (tournament.status, tournament.round_number) == (LifecycleStatus.BREAK, 1)
    end_break(tournament)
    assert (tournament.status, tournament.round_number) == (LifecycleStatus.PLAYING, 2)


def test_r10_4_no_new_deal_in_the_last_thirty_seconds(start_tournament):
    tournament = start_tournament(2, deals=3)
    (table,) = open_tables(tournament)
    Table.objects.filter(pk=table.pk).update(last_deal_at=Now())
    play_table(table)
    assert Match.objects.get().deals.count() == 1
    assert tick_and_reload(tournament).status == LifecycleStatus.FINISHED


def test_r10_6_ranks_follow_the_rounds_and_prizes_are_the_pool(start_tournament, make_player):
    people = [make_player() for _ in range(2)]
    tournament = start_tournament(
        people, seats=3, qualifiers=1, bots_to=9, payout_table=[[1, 4_000], [2, 2_000], [4, 500]]
    )
    play_to_the_end(tournament)
    entrants = list(tournament.entrants.order_by("place"))
    assert [entrant.place for entrant in entrants] == list(range(1, 10))
    assert [entrant.round_out for entrant in entrants] == [2] * 3 + [1] * 6
    assert sum(entrant.prize for entrant in entrants) == 810
    assert tournament.settlement == {
        "paid_in": 900, "rake": 90, "overlay": 0, "prizes": 810, "tickets": 0,
    }  # fmt: skip
    ranks = [entrant.rank for entrant in entrants]
    assert ranks == sorted(ranks)
    for entrant in entrants:
        if not entrant.user.is_bot:
            assert chips_of(entrant.user) == 9_900 + entrant.prize
    assert (pool_of(tournament), balance(chart.house(Currency.CHIPS))) == (0, 90)
    assert reconcile().findings == ()


def test_a_tournament_of_points_rummy_is_played(start_tournament, make_player):
    """The starting stack covers the most that a player can lose in each deal. Drops cost what points rummy says."""
    players = [make_player(), make_player()]
    tournament = start_tournament(players, preset="junglee-points", deals=2)
    assert tournament.starting_stack == 160
    assert play_to_the_end(tournament).status == LifecycleStatus.FINISHED
    assert_books_balance(tournament)
    assert sorted(chips_of(player) for player in players) != [9_900, 9_900]


def test_the_house_pays_the_missing_part_of_a_guarantee(start_tournament):
    tournament = start_tournament(2, guarantee=1_000)
    assert play_to_the_end(tournament).settlement["overlay"] == 820
    assert balance(chart.overlay(Currency.CHIPS)) == -820
    assert sum(tournament.entrants.values_list("prize", flat=True)) == 1_000
    assert reconcile().findings == ()


def test_a_free_tournament_without_a_guarantee_pays_nothing(start_tournament):
    tournament = start_tournament(2, entry_fee=0)
    play_to_the_end(tournament)
    assert list(tournament.entrants.values_list("prize", flat=True)) == [0, 0]


def test_a_satellite_pays_tickets_and_the_rest(start_tournament, make_template, make_player):
    target = make_template(name="Big Cup", entry_fee=250)
    players = [make_player() for _ in range(6)]
    tournament = start_tournament(players, ticket_for=target, bots_to=0)
    assert play_to_the_end(tournament).settlement["prizes"] == 540
    assert tournament.settlement["tickets"] == 500
    winners = tournament.entrants.order_by("place")[:2].values_list("user_id", flat=True)
    assert set(Ticket.objects.values_list("user_id", flat=True)) == set(winners)
    assert tournament.entrants.get(place=3).prize == 40
    assert pool_of(tournament) == 500  # until the tickets are used
    assert reconcile().findings == ()


# --- Late registration ----------------------------------------------------------------------------


def test_latecomers_fill_further_tables_of_round_1(late, make_player):
    enter(late, *(make_player() for _ in range(4)))
    tick()
    assert list_table_sizes(late) == [2, 2, 3]
    assert late.entrants.filter(state=EntrantState.REGISTERED).count() == 1
    enter(late, make_player())
    end_late_registration(late)
    assert list_table_sizes(late) == [2, 2, 2, 3]
    seedings = late.entrants.order_by("seeding").values_list("seeding", flat=True)
    assert list(seedings) == list(range(9))
    assert RoundSeat.objects.filter(round__number=1).count() == 9


def test_a_single_latecomer_has_a_bye(late, make_player):
    (entrant,) = enter(late, make_player())
    end_late_registration(late)
    assert RoundSeat.objects.get(entrant=entrant).round_table is None
    assert play_round(late).entrants.get(pk=entrant.pk).state == EntrantState.PLAYING


def test_round_1_does_not_end_during_late_registration(late):
    for table in open_tables(late):
        play_table(table)
    assert tick_and_reload(late).status == LifecycleStatus.PLAYING
    assert end_late_registration(late).status == LifecycleStatus.BREAK


def test_a_single_table_without_latecomers_was_the_final(start_tournament):
    tournament = start_tournament(2, late_seconds=600)
    assert not Round.objects.get().is_final
    for table in open_tables(tournament):
        play_table(table)
    assert end_late_registration(tournament).status == LifecycleStatus.FINISHED
    assert Round.objects.get().is_final
    assert tournament.entrants.get(place=1).final_rank == 1


# --- Staff ----------------------------------------------------------------------------------------


def test_a_disqualified_players_place_goes_to_the_next(start_tournament):
    tournament = start_tournament(6, seats=3, qualifiers=1)
    for table in open_tables(tournament):
        play_table(table)
    cheat = RoundSeat.objects.select_related("entrant").filter(rank=1).first()
    disqualify(tournament_id=tournament.pk, user_id=require(cheat).entrant.user_id)
    tick_and_reload(tournament)
    going_on = require(require(cheat).round_table).seats.get(goes_on=True)
    assert going_on.entrant_id != require(cheat).entrant_id
    end_break(tournament)
    play_to_the_end(tournament)
    entrant = tournament.entrants.get(pk=require(cheat).entrant_id)
    assert (entrant.state, entrant.place, entrant.prize) == (EntrantState.DISQUALIFIED, None, 0)
    places = tournament.entrants.filter(place__isnull=False).values_list("place", flat=True)
    assert sorted(places) == [1, 2, 3, 4, 5]
    assert sum(tournament.entrants.values_list("prize", flat=True)) == 540
    assert pool_of(tournament) == 0


def test_only_entrants_can_be_disqualified(make_tournament_of, make_player):
    tournament = make_tournament_of()
    with refused(NOT_REGISTERED):
        disqualify(tournament_id=tournament.pk, user_id=make_player().pk)


def test_the_last_player_not_disqualified_wins(start_tournament):
    tournament = start_tournament(4, seats=3, qualifiers=1)
    play_round(tournament)
    first, second = tournament.entrants.filter(state=EntrantState.PLAYING)
    disqualify(tournament_id=tournament.pk, user_id=first.user_id)
    assert end_break(tournament).status == LifecycleStatus.FINISHED
    second.refresh_from_db()
    assert (second.place, second.rank) == (1, 1)
    assert sum(tournament.entrants.values_list("prize", flat=True)) == 360


def test_a_paused_tournament_takes_no_step_and_is_resumed_later(make_tournament_of, make_player):
    tournament = make_tournament_of()
    enter(tournament, make_player(), make_player())
    pause(tournament_id=tournament.pk, now=timezone.now())
    Tournament.objects.filter(pk=tournament.pk).update(
        paused_at=F("paused_at") - timedelta(minutes=20)
    )
    assert begin(tournament).status == LifecycleStatus.REGISTERING
    resume(tournament_id=tournament.pk, now=timezone.now())
    assert tick_and_reload(tournament).status == LifecycleStatus.REGISTERING
    assert tournament.starts_at > timezone.now() + timedelta(minutes=19)
    assert begin(tournament).status == LifecycleStatus.PLAYING
