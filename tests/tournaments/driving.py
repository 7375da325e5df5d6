"""Helpers that play tournaments without waiting, by making the next times due now."""

from collections import Counter
from datetime import timedelta

from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from tables.live.clock import act_on_table
from tables.models import Seat, Table, TableStatus
from tests.given import reload
from tests.tables.driving import game_view, run_out_of_time
from tournaments.models import Round, RoundTable, Tournament
from tournaments.registration.services import register
from tournaments.rules.lifecycle import LifecycleStatus
from tournaments.running.tick import tick
from wallet.ledger import chart
from wallet.ledger.balances import balance
from wallet.ledger.checks import reconcile
from wallet.money import Currency


def enter(tournament, *users):
    return [
        register(tournament_id=tournament.pk, user_id=user.pk, now=timezone.now()) for user in users
    ]


def chips_of(user):
    return balance(chart.player(user.pk, Currency.CHIPS))


def pool_of(tournament):
    return balance(chart.prize_pool(tournament.pk, Currency(tournament.currency)))


def tick_and_reload(tournament):
    tick()
    return reload(tournament)


def assert_books_balance(tournament):
    """Assert that the prize pool is empty and that the ledger check has no findings."""
    assert (pool_of(tournament), reconcile().findings) == (0, ())


def bring_start(tournament):
    """Make the tournament's start due now."""
    Tournament.objects.filter(pk=tournament.pk).update(
        starts_at=Now(), due_at=Now(), opens_at=F("opens_at") - timedelta(hours=2)
    )


def begin(tournament):
    bring_start(tournament)
    return tick_and_reload(tournament)


def bring_end_of_break(tournament):
    """Make the end of the break due now, including breaks between single tables (R10.4c)."""
    ended = RoundTable.objects.filter(round__tournament=tournament, ended_at__isnull=False)
    ended.update(ended_at=F("ended_at") - timedelta(hours=1))
    Round.objects.filter(tournament=tournament).update(
        started_at=F("started_at") - timedelta(hours=1)
    )
    Tournament.objects.filter(pk=tournament.pk, next_round_at__isnull=False).update(
        next_round_at=Now(), due_at=Now()
    )


def end_break(tournament):
    bring_end_of_break(tournament)
    return tick_and_reload(tournament)


def end_late_registration(tournament):
    Tournament.objects.filter(pk=tournament.pk).update(late_until=Now(), due_at=Now())
    return tick_and_reload(tournament)


def open_tables(tournament):
    running = RoundTable.objects.filter(round__tournament=tournament, ended_at=None)
    return [round_table.table for round_table in running.select_related("table").order_by("number")]


def play_table(table, *, until=None, steps=5_000):
    """Let the clock act until the match is over, or until `until` accepts the public view.

    Bots make their moves; people miss their turns.
    """
    for _ in range(steps):
        table.refresh_from_db()
        if table.status == TableStatus.CLOSED:
            assert until is None
            return
        if table.status == TableStatus.PLAYING and until is not None and until(game_view(table)):
            return
        if table.status == TableStatus.STARTING:
            Table.objects.filter(pk=table.pk).update(deadline_at=Now())
        elif table.bot_due_at is None:
            run_out_of_time(table)
        else:
            Table.objects.filter(pk=table.pk).update(bot_due_at=Now())
        act_on_table(table.pk)
    raise AssertionError(f"table {table.pk} does not come to that")


def play_round(tournament):
    """Play every table of the running round, and let the next tick end the round."""
    tables = open_tables(tournament)
    assert tables
    for table in tables:
        play_table(table)
    return tick_and_reload(tournament)


def play_to_the_end(tournament):
    for _ in range(20):
        assert tournament.status == LifecycleStatus.PLAYING, tournament.status
        play_round(tournament)
        if tournament.is_over:
            return tournament
        end_break(tournament)
        if tournament.is_over:
            return tournament
    raise AssertionError(f"tournament {tournament.pk} does not come to an end")


def list_table_sizes(tournament):
    return sorted(
        Counter(
            Seat.objects.filter(table__in=[t.pk for t in open_tables(tournament)]).values_list(
                "table_id", flat=True
            )
        ).values()
    )
