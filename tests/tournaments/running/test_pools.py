"""R10.13: tournaments of pools, in which players are ranked by how long they stay in."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now
from django.utils import timezone

from tables.models import HouseRules, Match, Table
from tests.given import require
from tests.refusals import refused
from tests.tables.driving import game_view
from tests.tournaments.browsing import read_page, sign_in
from tests.tournaments.driving import (
    assert_books_balance,
    chips_of,
    end_break,
    open_tables,
    play_round,
    play_table,
    play_to_the_end,
    pool_of,
    tick_and_reload,
)
from tournaments.desk.staff import disqualify
from tournaments.models import EntrantState, Round, RoundSeat, RoundTable
from tournaments.models.terms import pool_rules
from tournaments.refusals import NO_REBUY
from tournaments.registration.services import rebuy
from tournaments.rules.lifecycle import LifecycleStatus
from tournaments.running.tick import tick
from tournaments.store.ranks import live_ranks, rank_entrants
from wallet.ledger import chart
from wallet.ledger.balances import balance
from wallet.ledger.checks import reconcile
from wallet.money import Currency

pytestmark = pytest.mark.django_db
# Absent players need minutes for each turn. Overtime would count their deals early, so it is off.
AWAY = {"house_rules": None, "overtime_turn_seconds": 0}


@pytest.fixture
def short_pool():
    """House rules of Pool 61 with a limit of one turn, after which a deal is counted."""
    return HouseRules.objects.create(
        name="Short pool", game="indian", preset="pool61", changes={"max_turns": 1}
    )


@pytest.fixture
def start_pool(start_tournament, short_pool):
    def start(players=0, **terms):
        given = {"preset": "pool61", "house_rules": short_pool, "qualifiers": 1, **terms}
        return start_tournament(players, **given)

    return start


def ranks_of(table):
    """Return the rank and score at a table by seat."""
    result = require(Match.objects.get(table=table).result)
    return {int(seat): (rank, result["points"][seat]) for seat, rank in result["ranks"].items()}


def is_break_after(deal):
    return lambda view: view["phase"] == "between" and view["deal"] >= deal


def survivors(view):
    standings = view["match"]["standings"]
    return {int(seat): s["score"] for seat, s in standings.items() if s["membership"] == "in"}


# --- A table ---------------------------------------------------------------------------------------


def test_a_table_of_a_pool_is_opened_without_rejoining_and_splitting(start_pool):
    tournament = start_pool(8, seats=4, qualifiers=2, house_rules=None)
    for table in open_tables(tournament):
        assert (table.format, table.entry_fee, table.rules["deals"]) == ("POOL", 0, None)
        assert (table.rules["qualifiers"], table.rules["elimination_score"]) == (2, 61)
        assert (table.rules["rejoin_score"], table.rules["split"]) == (None, False)
    assert pool_rules(tournament) == ("Pool 61", 61)


def test_absent_players_are_dropped_deal_by_deal_until_they_are_out(start_pool, make_player):
    """Three players are absent. In each deal all but its winner are dropped for 30 points."""
    users = [make_player() for _ in range(3)]
    tournament = start_pool(users, **AWAY)
    play_to_the_end(tournament)
    match = Match.objects.get()
    assert match.deals.count() == 4
    (table,) = RoundTable.objects.all()
    assert sorted(ranks_of(table.table).values()) == [(1, 60), (2, 90), (2, 90)]
    # 300 less a tenth: 135 for the winner. The two equal players share 81 and 54.
    placed = tournament.entrants.order_by("place").values_list("rank", "prize", "points")
    assert list(placed) == [(1, 135, 60), (2, 68, 90), (2, 67, 90)]
    assert sorted(chips_of(user) for user in users) == [9_967, 9_968, 10_035]
    assert (pool_of(tournament), balance(chart.house(Currency.CHIPS))) == (0, 30)
    assert reconcile().findings == ()


def test_a_pool_table_ends_when_only_the_qualifiers_are_in(start_pool):
    tournament = start_pool(1, seats=4, qualifiers=2, bots_to=8)
    assert play_round(tournament).status == LifecycleStatus.BREAK
    for round_table in RoundTable.objects.all():
        seats = list(round_table.seats.order_by("rank", "entrant__seeding"))
        by_chair = ranks_of(round_table.table)
        assert {seat.chair: (seat.rank, seat.points) for seat in seats} == by_chair
        assert [seat.goes_on for seat in seats] == [True, True, False, False]
        assert all(seat.chips is None for seat in seats)
        assert [require(seat.points) < 61 for seat in seats].count(True) <= 2
        for seat in seats[2:]:
            out = seat.entrant
            assert (out.state, out.round_out) == (EntrantState.OUT, 1)
            assert (out.table_rank, out.points, out.chips) == (seat.rank, seat.points, None)


# --- The time limit of a round ---------------------------------------------------------------------


def test_r10_4_at_the_time_limit_surviving_players_rank_by_score(start_pool):
    tournament = start_pool(1, seats=4, qualifiers=2, bots_to=8)
    table, other = open_tables(tournament)
    play_table(table, until=is_break_after(1))
    scores = survivors(game_view(table))
    assert len(scores) > 2
    Table.objects.filter(pk=table.pk).update(last_deal_at=Now())
    play_table(table)
    ranks = ranks_of(table)
    assert {seat: ranks[seat][1] for seat in scores} == scores
    for seat, score in scores.items():
        assert ranks[seat][0] == 1 + sum(lower < score for lower in scores.values())
    play_table(other)
    tick()
    seats = RoundSeat.objects.filter(round_table__table=table).select_related("entrant")
    ordered = sorted(seats, key=lambda seat: (require(seat.rank), require(seat.entrant.seeding)))
    assert [seat.goes_on for seat in ordered] == [True, True, False, False]


def test_r10_4b_a_deal_is_counted_in_overtime_and_then_the_scores_rank(start_pool):
    tournament = start_pool(1, seats=4, house_rules=None, bots_to=4)
    (table,) = open_tables(tournament)
    play_table(table, until=lambda view: view["deal"] == 2 and view["phase"] == "turn")
    before = survivors(game_view(table))
    past = timezone.now() - timedelta(seconds=1)
    Table.objects.filter(pk=table.pk).update(last_deal_at=past, overtime_at=past, count_at=past)
    play_table(table)
    match = Match.objects.get()
    assert match.deals.count() == 2
    ranks = ranks_of(table)
    assert all(ranks[seat][1] >= score for seat, score in before.items())
    in_it = sorted(score for _rank, score in ranks.values() if score < 61)
    assert in_it
    assert [score for _rank, score in sorted(ranks.values())][: len(in_it)] == in_it
    assert tick_and_reload(tournament).status == LifecycleStatus.FINISHED


def test_equal_scores_at_the_limit_of_the_final_share_its_prizes(start_pool):
    """The three absent players have 30, 60 and 30 points after the second deal."""
    tournament = start_pool(3, **AWAY, payout_table=[[1, 6_000], [1, 3_000], [1, 1_000]])
    (table,) = open_tables(tournament)
    play_table(table, until=is_break_after(2))
    Table.objects.filter(pk=table.pk).update(last_deal_at=Now())
    play_table(table)
    tick()
    placed = tournament.entrants.order_by("place").values_list("rank", "prize", "points")
    # 270: the first two share 162 and 81. The odd chip goes to the better seeded one.
    assert list(placed) == [(1, 122, 30), (1, 121, 30), (3, 27, 60)]
    best, second = tournament.entrants.order_by("place")[:2]
    assert require(best.seeding) < require(second.seeding)
    assert_books_balance(tournament)


# --- Rounds and places -----------------------------------------------------------------------------


def test_pool_places_follow_rounds_then_table_places_then_scores(start_pool):
    tournament = start_pool(
        1, seats=4, qualifiers=2, bots_to=11, payout_table=[[1, 4_000], [2, 2_000], [4, 500]]
    )
    assert play_round(tournament).entrants.filter(state=EntrantState.PLAYING).count() == 6
    early = {
        ranked.entrant.pk: ranked.rank
        for ranked in live_ranks(rank_entrants(tournament), after=0)
        if ranked.rank is not None
    }
    assert len(early) == 5
    end_break(tournament)
    play_to_the_end(tournament)
    rounds = Round.objects.order_by("number").values_list("number", "is_final")
    assert list(rounds) == [(1, False), (2, False), (3, True)]
    entrants = list(tournament.entrants.order_by("place"))
    assert [entrant.round_out for entrant in entrants] == [3] * 4 + [2] * 2 + [1] * 5
    assert {entrant.pk: entrant.rank for entrant in entrants if entrant.pk in early} == early
    for number in (1, 2):
        merits = [(e.table_rank, e.points) for e in entrants if e.round_out == number]
        assert merits == sorted(merits)
    final = [(entrant.final_rank, entrant.points) for entrant in entrants[:4]]
    assert final == sorted(final)
    # 1,100 less a tenth.
    assert sum(entrant.prize for entrant in entrants) == 990
    assert_books_balance(tournament)


def test_a_heads_up_bracket_of_a_pool_has_a_game_for_third_place(start_pool):
    tournament = start_pool(
        1, format="heads-up", seats=2, bots_to=4, payout_table=[[1, 5_000], [1, 3_000], [1, 2_000]]
    )
    assert play_to_the_end(tournament).status == LifecycleStatus.FINISHED
    placed = tournament.entrants.order_by("place").values_list("rank", "final_rank", "prize")
    assert list(placed) == [(1, 1, 180), (2, 2, 108), (3, 3, 72), (4, 4, 0)]
    for round_table in RoundTable.objects.all():
        assert sorted(rank for rank, _score in ranks_of(round_table.table).values()) == [1, 2]


def test_tables_that_meet_are_filled_from_pools_that_have_ended(start_pool):
    tournament = start_pool(1, seats=3, seats_early=True, bots_to=9)
    assert play_to_the_end(tournament).status == LifecycleStatus.FINISHED
    assert sorted(tournament.entrants.values_list("place", flat=True)) == [*range(1, 10)]
    assert list(Round.objects.order_by("number").values_list("is_final", flat=True)) == [
        False,
        True,
    ]


# --- Staff, and coming back ------------------------------------------------------------------------


def test_the_place_of_a_player_disqualified_in_a_match_goes_to_the_next(start_pool):
    """Three of the four players are disqualified. The fourth goes on, whatever their rank at the table."""
    tournament = start_pool(8, seats=4)
    table, other = open_tables(tournament)
    play_table(table, until=is_break_after(1))
    seats = dict(RoundSeat.objects.filter(round_table__table=table).values_list("chair", "entrant"))
    doomed = list(tournament.entrants.filter(pk__in=[seats[chair] for chair in (0, 1, 3)]))
    for entrant in doomed:
        disqualify(tournament_id=tournament.pk, user_id=entrant.user_id)
    play_table(table)
    play_table(other)
    tick()
    on = RoundSeat.objects.filter(round_table__table=table, goes_on=True)
    assert [seat.chair for seat in on] == [2]
    end_break(tournament)
    play_to_the_end(tournament)
    barred = tournament.entrants.filter(state=EntrantState.DISQUALIFIED)
    assert set(barred.values_list("rank", "prize")) == {(None, 0)}
    placed = tournament.entrants.exclude(place=None).values_list("place", flat=True)
    assert sorted(placed) == [1, 2, 3, 4, 5]
    assert_books_balance(tournament)


def test_r10_7_a_player_out_of_a_pool_may_pay_again_with_any_score(start_pool, make_player):
    users = [make_player() for _ in range(12)]
    tournament = start_pool(users, seats=3, rebuys=1, rebuy_below=1)
    play_round(tournament)
    back, stays = tournament.entrants.filter(state=EntrantState.OUT)[:2]
    rebuy(tournament_id=tournament.pk, user_id=back.user_id, now=timezone.now())
    back.refresh_from_db()
    assert (back.state, back.round_out, back.table_rank, back.points) == (
        EntrantState.PLAYING, None, None, None,
    )  # fmt: skip
    end_break(tournament)
    with refused(NO_REBUY):
        rebuy(tournament_id=tournament.pk, user_id=stays.user_id, now=timezone.now())
    play_to_the_end(tournament)
    assert sum(tournament.entrants.values_list("prize", flat=True)) == 13 * 90
    assert_books_balance(tournament)


def test_a_player_out_of_a_running_pool_sees_their_place(client, start_pool, make_player):
    users = [make_player() for _ in range(6)]
    tournament = start_pool(users, seats=3)
    for table in open_tables(tournament):
        play_table(table)
    seat = RoundSeat.objects.filter(rank__gt=1).select_related("entrant__user").latest("points")
    sign_in(client, seat.entrant.user)
    page = read_page(client, tournament.get_absolute_url())
    assert f"you finished in place {seat.rank}, with {seat.points} points." in page
