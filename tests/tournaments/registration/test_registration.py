"""R10.2, R10.7: entrants pay at once, and a withdrawal before the deadline refunds everything."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.people.bot_accounts import become_bot
from accounts.people.bots import get_practice_bots
from accounts.refusals import NoBotAccount
from tests.given import reload
from tests.tournaments.driving import bring_start, chips_of, enter, pool_of
from tests.tournaments.entering import come_back, expect_refusal, list_out, use_ticket
from tournaments.models import EntrantState, Tournament
from tournaments.refusals import (
    BOTS_DO_NOT_PLAY_FOR_CASH,
    NO_REBUY,
    NO_TICKET,
    NOT_REGISTERED,
    REGISTRATION_CLOSED,
    TOO_LATE_TO_WITHDRAW,
    TOURNAMENT_BARS_BOT_ACCOUNTS,
)
from tournaments.registration.services import promote_waiting, rebuy, register, withdraw
from tournaments.running.tick import tick
from wallet.ledger import chart
from wallet.ledger.balances import balance
from wallet.ledger.chart import PostingLine
from wallet.ledger.posting import post_transfers
from wallet.models import Journal, Reason
from wallet.money import Currency
from wallet.refusals import InsufficientFunds

pytestmark = pytest.mark.django_db


def leave(tournament, user):
    return withdraw(tournament_id=tournament.pk, user_id=user.pk, now=timezone.now())


def test_r10_2_withdrawing_in_time_refunds_the_fee_and_allows_another_entry(
    make_tournament_of, make_player
):
    tournament, player = make_tournament_of(), make_player()
    for times in range(1, 4):
        (entrant,) = enter(tournament, player)
        assert (entrant.registrations, chips_of(player)) == (times, 9_900)
        leave(tournament, player)
        assert (chips_of(player), pool_of(tournament)) == (10_000, 0)
    assert reload(tournament).seats_taken == 0
    expect_refusal(tournament, NOT_REGISTERED, lambda: leave(tournament, player))


def test_a_free_tournament_takes_no_fee(make_tournament_of, make_player):
    tournament, player = make_tournament_of(entry_fee=0), make_player()
    enter(tournament, player)
    leave(tournament, player)
    assert Journal.objects.filter(subject__startswith="tournament").count() == 0


def test_a_player_who_cannot_pay_does_not_take_part(make_tournament_of, make_player):
    tournament, player = make_tournament_of(), make_player(chips=False)
    expect_refusal(tournament, InsufficientFunds, lambda: enter(tournament, player))


def test_bots_do_not_play_for_cash(make_tournament_of):
    tournament = make_tournament_of(currency=Currency.INR)
    expect_refusal(
        tournament, BOTS_DO_NOT_PLAY_FOR_CASH, lambda: enter(tournament, get_practice_bots()[0])
    )


@pytest.mark.parametrize(
    "change",
    [
        *({"status": name} for name in ("ANNOUNCED", "PLAYING", "BREAK", "FINISHED", "CANCELLED")),
        {"paused_at": timezone.now()},
    ],
    ids=lambda change: next(iter(change.values())) if "status" in change else "paused",
)
def test_registration_is_refused_outside_its_time(make_tournament_of, make_player, change):
    tournament, player = make_tournament_of(), make_player()
    Tournament.objects.filter(pk=tournament.pk).update(**change)
    expect_refusal(tournament, REGISTRATION_CLOSED, lambda: enter(tournament, player))


def test_no_player_registers_or_withdraws_after_the_start_time(make_tournament_of, make_player):
    tournament, player, late = make_tournament_of(), make_player(), make_player()
    enter(tournament, player)
    bring_start(tournament)
    expect_refusal(tournament, REGISTRATION_CLOSED, lambda: enter(tournament, late))
    expect_refusal(tournament, TOO_LATE_TO_WITHDRAW, lambda: leave(tournament, player))


# --- The waiting list -----------------------------------------------------------------------------


def test_r10_2_a_full_tournament_has_a_waiting_list_in_order_of_arrival(
    make_tournament_of, make_player
):
    tournament = make_tournament_of(max_entrants=2)
    first, second, third, fourth = (make_player() for _ in range(4))
    states = [entrant.state for entrant in enter(tournament, first, second, third, fourth)]
    assert states == ["REGISTERED", "REGISTERED", "WAITING", "WAITING"]
    assert chips_of(third) == 10_000
    leave(tournament, first)
    assert promote_waiting(tournament_id=tournament.pk, now=timezone.now()) == [third.pk]
    assert (chips_of(third), chips_of(fourth), pool_of(tournament)) == (9_900, 10_000, 200)
    assert promote_waiting(tournament_id=tournament.pk, now=timezone.now()) == []


def test_a_waiting_player_who_cannot_pay_leaves_the_list(make_tournament_of, make_player):
    tournament = make_tournament_of(max_entrants=2)
    first, second, poor, fourth = (
        make_player(),
        make_player(),
        make_player(chips=False),
        make_player(),
    )
    enter(tournament, first, second, poor, fourth)
    leave(tournament, second)
    tick()
    states = dict(tournament.entrants.values_list("user_id", "state"))
    assert (states[poor.pk], states[fourth.pk]) == ("WITHDRAWN", "REGISTERED")


def test_a_place_in_the_list_may_be_given_up(make_tournament_of, make_player):
    tournament = make_tournament_of(max_entrants=2)
    players = [make_player() for _ in range(3)]
    enter(tournament, *players)
    leave(tournament, players[2])
    assert chips_of(players[2]) == 10_000
    assert reload(tournament).seats_taken == 2


def test_the_start_ends_the_waiting(start_tournament):
    tournament = start_tournament(3, max_entrants=2)
    assert tournament.entrants.filter(state=EntrantState.WITHDRAWN).count() == 1
    assert pool_of(tournament) == 200


# --- Tickets --------------------------------------------------------------------------------------


def test_a_ticket_is_a_seat(make_tournament_of, make_player, ticket_of):
    tournament, player = make_tournament_of(), make_player()
    satellite, ticket = ticket_of(player, tournament.template)
    entrant = use_ticket(tournament, player)
    assert (entrant.ticket, entrant.payments) == (ticket, 1)
    assert (chips_of(player), pool_of(tournament), pool_of(satellite)) == (10_000, 100, 0)
    leave(tournament, player)
    assert (chips_of(player), pool_of(tournament), pool_of(satellite)) == (10_000, 0, 100)
    assert use_ticket(tournament, player).ticket == ticket


def test_a_ticket_is_used_once_and_only_by_its_owner(make_tournament_of, make_player, ticket_of):
    tournament, player, other = make_tournament_of(), make_player(), make_player()
    ticket_of(player, tournament.template)
    expect_refusal(tournament, NO_TICKET, lambda: use_ticket(tournament, other))
    use_ticket(tournament, player)
    second = make_tournament_of(name="Another")
    second.template = tournament.template
    second.save()
    expect_refusal(second, NO_TICKET, lambda: use_ticket(second, player))


# --- Rebuys ---------------------------------------------------------------------------------------


def test_r10_7_a_player_out_with_few_chips_pays_again_and_the_pool_grows(in_break):
    entrant = list_out(in_break)[0]
    before = pool_of(in_break)
    back = come_back(in_break, entrant)
    assert (back.state, back.payments, back.round_out) == (EntrantState.PLAYING, 2, None)
    assert pool_of(in_break) == before + 100
    assert chips_of(back.user) == 9_800
    expect_refusal(in_break, NO_REBUY, lambda: come_back(in_break, entrant))


def test_r10_7_rebuys_are_refused_outside_the_terms(in_break):
    entrant = list_out(in_break)[0]
    in_break.entrants.filter(pk=entrant.pk).update(chips=in_break.starting_stack)
    expect_refusal(in_break, NO_REBUY, lambda: come_back(in_break, entrant))
    in_break.entrants.filter(pk=entrant.pk).update(chips=0)
    for terms in ({"rebuy_rounds": 0}, {"rebuy_rounds": 1, "paused_at": timezone.now()}):
        Tournament.objects.filter(pk=in_break.pk).update(**terms)
        expect_refusal(in_break, NO_REBUY, lambda: come_back(in_break, entrant))
    Tournament.objects.filter(pk=in_break.pk).update(paused_at=None)
    playing = in_break.entrants.filter(state=EntrantState.PLAYING)
    last = playing.first()
    playing.filter(pk=last.pk).update(state=EntrantState.DISQUALIFIED)
    expect_refusal(in_break, NO_REBUY, lambda: come_back(in_break, entrant))  # the final is next
    in_break.entrants.filter(pk=last.pk).update(state=EntrantState.PLAYING)
    in_break.entrants.filter(pk=entrant.pk).update(round_out=1)
    later = timezone.now() + timedelta(minutes=10)
    expect_refusal(
        in_break,
        NO_REBUY,
        lambda: rebuy(tournament_id=in_break.pk, user_id=entrant.user_id, now=later),
    )
    assert come_back(in_break, entrant).state == EntrantState.PLAYING


def test_r10_7_a_player_who_cannot_pay_again_stays_out(in_break):
    entrant = list_out(in_break)[0]
    purse = chart.player(entrant.user_id, Currency.CHIPS)
    post_transfers(
        key="spent",
        lines=[
            PostingLine(purse, chart.mint(Currency.CHIPS, 0), balance(purse), Reason.ADJUSTMENT)
        ],
    )
    expect_refusal(in_break, InsufficientFunds, lambda: come_back(in_break, entrant))


def test_a_bot_account_takes_no_part(make_tournament_of, make_player):
    tournament, bot = make_tournament_of(allows_api_players=True), make_player()
    become_bot(user_id=bot.pk)
    expect_refusal(
        tournament,
        TOURNAMENT_BARS_BOT_ACCOUNTS,
        lambda: register(
            tournament_id=tournament.pk, user_id=bot.pk, now=timezone.now(), by_program=True
        ),
    )


def test_an_account_that_entered_a_tournament_cannot_become_a_bot_account(
    make_tournament_of, make_player
):
    tournament, player = make_tournament_of(), make_player()
    enter(tournament, player)
    leave(tournament, player)
    expect_refusal(tournament, NoBotAccount, lambda: become_bot(user_id=player.pk))
    player.refresh_from_db()
    assert not player.is_bot_account
