"""Staff cancel a match: what was paid for it comes back, once."""

import pytest

from accounts.models import User
from core.models.audit import AuditEntry
from tables.models import Match, MatchStatus, QueuePlace, Seat, Table, TableStatus
from tables.refusals import NoMatch, TableClosed
from tables.seating.closing import cancel_match
from tables.seating.queue import join_queue
from tables.seating.sitting import take_seat
from tests.given import reload
from tests.tables.driving import (
    begin_match,
    chips_of,
    game_view,
    leave,
    let_time_pass,
    player_at,
    seat_a_bot,
    seat_all,
    start_match,
)
from tests.tables.pools import FEE, pot_of
from wallet.ledger.balances import balance
from wallet.ledger.chart import seat as seat_account
from wallet.money import Currency

pytestmark = pytest.mark.django_db
WELCOME = 10_000


def cancel(match):
    return cancel_match(match_id=match.pk, reason="The deck was wrong.", staff_id=1)


def stack_of(user):
    sitting = Seat.objects.get(user=user, left_at__isnull=True)
    return balance(seat_account(sitting.pk, Currency.CHIPS))


def test_entry_fees_go_back_to_the_stacks_and_the_next_match_may_begin(make_player, make_table):
    table, players = make_table(preset="pool101", entry_fee=FEE, max_seats=3), []
    players = [make_player() for _ in range(3)]
    begin_match(table, *players)
    match = Match.objects.get(table=table)
    assert pot_of(match) == 3 * FEE
    step = cancel(match)
    match.refresh_from_db()
    assert (match.status, match.cancelled_for) == (MatchStatus.CANCELLED, "The deck was wrong.")
    assert pot_of(match) == 0
    assert [stack_of(player) for player in players] == [FEE] * 3
    assert step.events[0]["kind"] == "match_cancelled"
    assert (reload(table).status, table.state) == (TableStatus.BETWEEN, None)
    let_time_pass(table)
    assert reload(table).status == TableStatus.PLAYING
    assert Match.objects.filter(table=table).count() == 2


def test_a_cancelled_deal_for_points_costs_nobody_anything(make_player, make_table):
    players = [make_player(), make_player()]
    table = start_match(make_table(), *players)
    stacks = [stack_of(player) for player in players]
    cancel(Match.objects.get(table=table))
    assert [stack_of(player) for player in players] == stacks


def test_who_had_left_in_the_match_has_his_stack_and_his_fee_back(make_player, make_table):
    table = make_table(preset="pool101", entry_fee=FEE, max_seats=3)
    begin_match(table, *(make_player() for _ in range(3)))
    leaver = player_at(table, game_view(table)["turn"])
    leave(table, leaver)
    cancel(Match.objects.get(table=table))
    assert chips_of(leaver) == WELCOME
    assert not Seat.objects.filter(user=leaver, left_at__isnull=True).exists()


def test_a_second_time_or_after_the_end_nothing_happens(make_player, make_table):
    table = make_table(preset="pool101", entry_fee=FEE, max_seats=2)
    players = [make_player(), make_player()]
    begin_match(table, *players)
    match = Match.objects.get(table=table)
    cancel(match)
    version = Table.objects.get(pk=table.pk).version
    with pytest.raises(NoMatch):
        cancel(match)
    assert Table.objects.get(pk=table.pk).version == version
    assert [stack_of(player) for player in players] == [FEE, FEE]


def test_staff_cancel_in_the_administration_with_a_reason(client, make_player, make_table):
    table = make_table(preset="pool101", entry_fee=FEE, max_seats=2)
    begin_match(table, make_player(), make_player())
    match = Match.objects.get(table=table)
    url = f"/admin/tables/match/{match.pk}/decide/"
    client.force_login(make_player())
    assert client.post(url, {"decision": "cancel", "reason": "Fun"}).status_code == 302
    assert reload(match).status == MatchStatus.RUNNING
    boss = User.objects.create_superuser("boss@example.com", "x", player_name="Boss")
    client.force_login(boss)
    client.post(url, {"decision": "cancel", "reason": " "})
    assert reload(match).status == MatchStatus.RUNNING
    client.post(url, {"decision": "cancel", "reason": "The deck was wrong."})
    assert (reload(match).status, pot_of(match)) == (MatchStatus.CANCELLED, 0)
    client.post(url, {"decision": "cancel", "reason": "Again"})
    assert reload(match).cancelled_for == "The deck was wrong."


def test_staff_close_the_table_and_everybody_goes_home(make_player, make_table):
    table = make_table(preset="pool101", entry_fee=FEE, max_seats=3)
    players, waiting = [make_player() for _ in range(3)], make_player()
    begin_match(table, *players)
    match = Match.objects.get(table=table)
    join_queue(table_id=table.pk, user_id=waiting.pk)
    step = cancel_match(match_id=match.pk, reason="Cheats.", staff_id=1, closes_table=True)
    assert [event["kind"] for event in step.events] == ["match_cancelled", "closed"]
    assert step.patch["table"]["status"] == "closed"
    assert [seat["player"] for seat in step.patch["seats"]] == [None] * 3
    assert [chips_of(player) for player in (*players, waiting)] == [WELCOME] * 4
    assert (reload(table).status, table.state, table.due_at) == (TableStatus.CLOSED, None, None)
    assert table.closed_at is not None
    assert not Seat.objects.filter(left_at__isnull=True).exists()
    assert not QueuePlace.objects.exists()
    with pytest.raises(TableClosed):
        take_seat(table_id=table.pk, user_id=players[0].pk, amount=FEE)


def test_bots_go_with_a_table_that_closes(make_player, make_table):
    table = make_table(max_seats=2, bots_wanted=1)
    seat_all(table, make_player())
    seat_a_bot(table)
    let_time_pass(table)
    match = Match.objects.get(table=table)
    cancel_match(match_id=match.pk, reason="x", staff_id=1, closes_table=True)
    table.refresh_from_db()
    assert (table.bot_seats, table.bot_due_at, table.status) == ([], None, TableStatus.CLOSED)
    assert not Seat.objects.filter(left_at__isnull=True).exists()


def test_staff_choose_in_the_administration(client, make_player, make_table):
    table = make_table(preset="pool101", entry_fee=FEE, max_seats=2)
    begin_match(table, make_player(), make_player())
    match = Match.objects.get(table=table)
    client.force_login(User.objects.create_superuser("b@example.com", "x", player_name="Boss"))
    page = client.get(f"/admin/tables/match/{match.pk}/change/").text
    assert 'value="cancel"' in page
    assert 'value="cancel_and_close"' in page
    url = f"/admin/tables/match/{match.pk}/decide/"
    client.post(url, {"decision": "cancel_and_close", "reason": "Cheats."})
    match.refresh_from_db()
    assert (match.status, reload(table).status) == (MatchStatus.CANCELLED, TableStatus.CLOSED)
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.reason) == ("cancel_and_close", "Cheats.")
