"""R10.8: barred players, who cannot enter and leave tournaments not yet begun, but finish running ones."""

import pytest
from django.utils import timezone

from tables.models import Seat
from tests.barring import bar, bar_unheard, exclude, way
from tests.given import reload
from tests.tournaments.driving import (
    begin,
    chips_of,
    end_break,
    end_late_registration,
    enter,
    list_table_sizes,
    open_tables,
    play_round,
    pool_of,
)
from tests.tournaments.entering import come_back, expect_refusal, list_out, use_ticket
from tournaments.models import EntrantState, RoundSeat, Tournament
from tournaments.registration.services import promote_waiting
from tournaments.tasks import withdraw_barred
from wallet.ledger.checks import reconcile
from wallet.models import SelfExclusion

__all__ = ["bar", "bar_unheard", "way"]  # fixtures

pytestmark = pytest.mark.django_db
WELCOME = 10_000


def state_of(tournament, user):
    return tournament.entrants.get(user=user).state


# --- No way in ------------------------------------------------------------------------------------


@pytest.mark.parametrize("terms", [{}, {"entry_fee": 0}, {"max_entrants": 2}])
def test_a_barred_player_cannot_register_or_wait(make_tournament_of, make_player, way, bar, terms):
    tournament, user = make_tournament_of(**terms), make_player()
    enter(tournament, make_player(), make_player())
    bar(user)
    expect_refusal(tournament, way[1], lambda: enter(tournament, user))
    assert chips_of(user) == WELCOME


def test_a_barred_player_keeps_their_ticket(make_tournament_of, make_player, ticket_of, way, bar):
    tournament, user = make_tournament_of(), make_player()
    _satellite, ticket = ticket_of(user, tournament.template)
    bar(user)
    expect_refusal(tournament, way[1], lambda: use_ticket(tournament, user))
    assert reload(ticket).used_at is None


def test_a_barred_player_cannot_register_late(late, make_player, way, bar):
    user = make_player()
    bar(user)
    expect_refusal(late, way[1], lambda: enter(late, user))


@pytest.mark.parametrize("fee", [100, 0])
def test_a_barred_player_does_not_move_up_from_the_waiting_list(
    make_tournament_of, make_player, bar_unheard, fee
):
    tournament = make_tournament_of(max_entrants=2, entry_fee=fee)
    first, second, user, next_one = (make_player() for _ in range(4))
    enter(tournament, first, second, user, next_one)
    bar_unheard(user)
    Tournament.objects.filter(pk=tournament.pk).update(max_entrants=3)
    assert promote_waiting(tournament_id=tournament.pk, now=timezone.now()) == [next_one.pk]
    assert state_of(tournament, user) == EntrantState.WITHDRAWN
    assert chips_of(user) == WELCOME


def test_a_barred_player_cannot_rebuy(in_break, way, bar):
    entrant = list_out(in_break)[0]
    bar(entrant.user)
    expect_refusal(in_break, way[1], lambda: come_back(in_break, entrant))
    assert entrant.user_id not in in_break.entrants.filter(state="PLAYING").values_list("user")


# --- In every state of the tournament -------------------------------------------------------------


def test_a_barred_entrant_is_withdrawn_and_refunded(make_tournament_of, make_player, bar):
    tournament, free = make_tournament_of(), make_tournament_of(name="Free", entry_fee=0)
    user, other = make_player(), make_player()
    enter(tournament, user, other)
    enter(free, user)
    bar(user)
    assert state_of(tournament, user) == state_of(free, user) == EntrantState.WITHDRAWN
    assert (chips_of(user), pool_of(tournament)) == (WELCOME, 100)
    tournament.refresh_from_db()
    free.refresh_from_db()
    assert (tournament.seats_taken, free.seats_taken) == (1, 0)
    assert state_of(tournament, other) == EntrantState.REGISTERED
    assert reconcile().findings == ()


def test_the_ticket_of_a_barred_entrant_becomes_unused(
    make_tournament_of, make_player, ticket_of, bar
):
    tournament, user = make_tournament_of(), make_player()
    satellite, ticket = ticket_of(user, tournament.template)
    use_ticket(tournament, user)
    bar(user)
    assert reload(ticket).used_at is None
    assert (pool_of(tournament), pool_of(satellite), chips_of(user)) == (0, 100, WELCOME)


def test_a_barred_player_leaves_the_waiting_list(make_tournament_of, make_player, bar):
    tournament, user = make_tournament_of(max_entrants=2), make_player()
    enter(tournament, make_player(), make_player(), user)
    assert state_of(tournament, user) == EntrantState.WAITING
    bar(user)
    assert state_of(tournament, user) == EntrantState.WITHDRAWN
    tournament.refresh_from_db()
    assert (tournament.seats_taken, chips_of(user)) == (2, WELCOME)


def test_the_start_excludes_a_newly_barred_entrant(make_tournament_of, make_player, bar_unheard):
    """The message about the bar was lost, and the start is due."""
    tournament = make_tournament_of()
    user, others = make_player(), [make_player(), make_player()]
    enter(tournament, user, *others)
    bar_unheard(user)
    begin(tournament)
    assert state_of(tournament, user) == EntrantState.WITHDRAWN
    assert (chips_of(user), pool_of(tournament), tournament.seats_taken) == (WELCOME, 200, 2)
    assert not Seat.objects.filter(user=user).exists()
    assert tournament.entrants.filter(state=EntrantState.PLAYING).count() == 2


def test_a_barred_latecomer_without_a_seat_is_refunded(late, make_player, bar):
    user = make_player()
    enter(late, user)
    bar(user)
    assert state_of(late, user) == EntrantState.WITHDRAWN
    assert (chips_of(user), pool_of(late)) == (WELCOME, 400)


def test_the_seating_of_latecomers_excludes_a_newly_barred_entrant(late, make_player, bar_unheard):
    """The only latecomer is barred. Nobody is seated, and the tournament goes on."""
    user = make_player()
    enter(late, user)
    bar_unheard(user)
    end_late_registration(late)
    assert late.broken_at is None
    assert state_of(late, user) == EntrantState.WITHDRAWN
    assert (chips_of(user), list_table_sizes(late)) == (WELCOME, [2, 2])
    assert not RoundSeat.objects.filter(entrant__user=user).exists()


def test_a_barred_player_may_finish_a_running_tournament(start_tournament, make_player, bar):
    players = [make_player() for _ in range(4)]
    tournament = start_tournament(players, seats=2, qualifiers=1)
    user = players[0]
    bar(user)
    assert withdraw_barred() == 0
    assert state_of(tournament, user) == EntrantState.PLAYING
    seat = Seat.objects.get(user=user, left_at__isnull=True)
    assert seat.table_id in [table.pk for table in open_tables(tournament)]
    assert not seat.is_last_deal
    while not tournament.is_over:
        play_round(tournament)
        end_break(tournament)
    entrant = tournament.entrants.get(user=user)
    assert (entrant.state, entrant.place is not None) == (EntrantState.OUT, True)
    assert chips_of(user) == WELCOME - 100 + entrant.prize
    assert reconcile().findings == ()


def test_a_lost_notice_of_a_bar_is_made_up_for_once(make_tournament_of, make_player, bar_unheard):
    tournament, user = make_tournament_of(), make_player()
    enter(tournament, user)
    bar_unheard(user)
    assert state_of(tournament, user) == EntrantState.REGISTERED
    assert withdraw_barred() == 1
    assert (state_of(tournament, user), chips_of(user)) == (EntrantState.WITHDRAWN, WELCOME)
    assert withdraw_barred() == 0


def test_a_player_may_enter_again_after_an_exclusion(make_tournament_of, make_player):
    tournament, user = make_tournament_of(), make_player()
    enter(tournament, user)
    exclude(user)
    assert withdraw_barred() == 1
    SelfExclusion.objects.update(until=timezone.now())
    (entrant,) = enter(tournament, user)
    assert (entrant.state, entrant.registrations) == (EntrantState.REGISTERED, 2)
    assert (chips_of(user), pool_of(tournament)) == (WELCOME - 100, 100)
