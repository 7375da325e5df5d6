"""Cancelled matches and the refunds of their fees."""

import pytest

from accounts.desk.staff_roles import Role
from core.models.audit import AuditEntry
from tables.models import Match, MatchStatus, QueuePlace, Seat, TableStatus
from tables.play.cancelling import cancel_match
from tables.refusals import NO_MATCH, TABLE_CLOSED
from tables.seating.closing import cancel_and_close
from tables.seating.queue import join_queue
from tests.accounts.staff import member, office
from tests.given import reload
from tests.refusals import refused
from tests.tables.driving import (
    WELCOME,
    begin_match,
    chips_of,
    game_view,
    get_match,
    leave,
    let_time_pass,
    list_seated,
    player_at,
    seat_all,
    start_with_a_bot,
)
from tests.tables.pools import FEE, pot_of
from wallet.ledger.balances import balance
from wallet.ledger.chart import seat as seat_account
from wallet.money import Currency

pytestmark = pytest.mark.django_db


def cancel(match):
    return cancel_match(match_id=match.pk, reason="The deck was wrong.", staff_id=1)


def get_stack(user):
    sitting = Seat.objects.get(user=user, left_at__isnull=True)
    return balance(seat_account(sitting.pk, Currency.CHIPS))


@pytest.fixture
def match(players, make_table):
    """A match of three players for an entry fee."""
    return begin_match(make_table(preset="pool101", entry_fee=FEE, max_seats=3), *players[:3])


def test_entry_fees_go_back_to_the_stacks_once_and_the_next_match_may_begin(match, players):
    assert pot_of(match) == 3 * FEE
    step = cancel(match)
    with refused(NO_MATCH):
        cancel(match)
    assert reload(match.table).version == step.version
    assert reload(match).status == MatchStatus.CANCELLED
    assert match.cancelled_for == "The deck was wrong."
    assert pot_of(match) == 0
    assert [get_stack(player) for player in players[:3]] == [FEE] * 3
    assert step.events[0]["kind"] == "match_cancelled"
    table = reload(match.table)
    assert (table.status, table.state) == (TableStatus.BETWEEN, None)
    let_time_pass(table)
    assert reload(table).status == TableStatus.PLAYING
    assert Match.objects.filter(table=table).count() == 2


def test_a_cancelled_deal_for_points_costs_nobody_anything(players, make_table):
    match = begin_match(make_table(), *players[:2])
    stacks = [get_stack(player) for player in players[:2]]
    cancel(match)
    assert [get_stack(player) for player in players[:2]] == stacks


def test_a_player_who_left_a_cancelled_match_gets_stack_and_fee_back(match):
    leaver = player_at(match.table, game_view(match.table)["turn"])
    leave(match.table, leaver)
    cancel(match)
    assert chips_of(leaver) == WELCOME
    assert leaver.pk not in list_seated(match.table)


def test_cancelling_and_closing_sends_everybody_home(match, players):
    table = match.table
    join_queue(table_id=table.pk, user_id=players[3].pk)
    step = cancel_and_close(match_id=match.pk, reason="Cheats.", staff_id=1)
    assert [event["kind"] for event in step.events] == ["match_cancelled", "closed"]
    assert step.patch["table"]["status"] == "closed"
    assert [seat["player"] for seat in step.patch["seats"]] == [None] * 3
    assert [chips_of(player) for player in players] == [WELCOME] * 4
    assert (reload(table).status, table.state, table.due_at) == (TableStatus.CLOSED, None, None)
    assert table.closed_at is not None
    assert list_seated(table) == []
    assert not QueuePlace.objects.exists()
    with refused(TABLE_CLOSED):
        seat_all(table, players[0])


def test_bots_leave_a_table_that_is_closed(make_player, make_table):
    table = make_table(bots_wanted=1)
    match = get_match(start_with_a_bot(table, make_player()))
    cancel_and_close(match_id=match.pk, reason="x", staff_id=1)
    assert reload(table).status == TableStatus.CLOSED
    assert (table.bot_seats, table.bot_due_at) == ([], None)
    assert list_seated(table) == []


def test_staff_choose_to_close_the_table_too(match):
    boss = office(member(Role.SUPERUSER))
    page = boss.get(f"/admin/tables/match/{match.pk}/change/").text
    assert 'value="cancel"' in page
    assert 'value="cancel_and_close"' in page
    url = f"/admin/tables/match/{match.pk}/decide/"
    boss.post(url, {"decision": "cancel_and_close", "reason": "Cheats."})
    assert reload(match).status == MatchStatus.CANCELLED
    assert reload(match.table).status == TableStatus.CLOSED
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.reason) == ("cancel_and_close", "Cheats.")
