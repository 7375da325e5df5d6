"""Real workers and a real Redis, killed or emptied. No player is charged, seated or paid twice, or forgotten."""

import signal
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from celery import current_app
from django.db import connection
from django.db.models import Sum
from django.db.models.functions import Now

from tables.models import Match, Seat, Table
from tests.given import reload
from tests.tables.driving import run_out_of_time
from tests.tournaments.driving import (
    assert_books_balance,
    bring_end_of_break,
    bring_start,
    chips_of,
    enter,
    open_tables,
    play_round,
    play_table,
    pool_of,
    tick_and_reload,
)
from tests.workers import empty_redis, wait_until
from tournaments.desk.staff import disqualify
from tournaments.models import Round, RoundSeat, RoundTable, Tournament
from tournaments.rules.lifecycle import LifecycleStatus
from tournaments.running.tick import tick
from wallet.limits.services import exclude_oneself
from wallet.models import Journal


def play_table_to_its_last_move(table):
    """Play a table until its next deadline ends the match: one deal is over, and no other may begin."""
    Table.objects.filter(pk=table.pk).update(last_deal_at=Now())
    play_table(table, until=lambda view: view["phase"] == "between")
    run_out_of_time(table)


def send_ticks(times: int = 1) -> None:
    """Send this many ticks to the workers."""
    for _ in range(times):
        current_app.send_task("tournaments.tick")


@pytest.fixture(params=[False, True], ids=["drawn", "fixed"])
def field_of_seven(request, make_tournament_of, make_player):
    """A tournament of three absent people and four bots at tables of three."""
    tournament = make_tournament_of(
        seats=3, qualifiers=1, bots_to=7, bot_strength="easy", seats_early=request.param
    )
    enter(tournament, *(make_player() for _ in range(3)))
    return tournament


def assert_settled_once(tournament):
    """Check that each entrant was charged once, seated once a round, ranked once and paid once."""
    assert_paid_once(tournament, entrants=7)
    fees = Journal.objects.filter(key__startswith=f"tournament:{tournament.pk}:entry:")
    assert fees.count() == 7
    assert Seat.objects.count() == RoundSeat.objects.filter(round_table__isnull=False).count()
    assert Match.objects.count() == Table.objects.count()
    places = tournament.entrants.values_list("place", flat=True)
    assert sorted(places) == list(range(1, 8))


def assert_paid_once(tournament, *, entrants):
    """Check that nobody has two seats in a round, and that the prizes use up all fees and were paid once."""
    assert reload(tournament).status == LifecycleStatus.FINISHED
    assert set(Counter(RoundSeat.objects.values_list("round", "entrant")).values()) == {1}
    prizes = tournament.entrants.values_list("prize", flat=True)
    assert sum(prizes) == tournament.settlement["prizes"] == entrants * 90
    for entrant in tournament.entrants.filter(user__is_bot=False):
        assert chips_of(entrant.user) == 9_900 + entrant.prize
    assert Journal.objects.filter(key=f"tournament:{tournament.pk}:settle").count() == 1
    assert_books_balance(tournament)


@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_at_any_statement_leaves_nothing_half_done(
    field_of_seven, kill_again_and_again
):
    tournament = field_of_seven
    Tournament.objects.update(deals=2)
    bring_start(tournament)
    assert kill_again_and_again("tick") > 10
    assert reload(tournament).status == LifecycleStatus.PLAYING
    assert Seat.objects.count() == 7
    while not tournament.is_over:
        first, *others = open_tables(tournament)
        play_table_to_its_last_move(first)
        assert kill_again_and_again("table", first.pk) > 2
        assert RoundTable.objects.get(table=first).ended_at is not None
        for table in others:
            play_table(table)
        assert kill_again_and_again("tick") > 5
        tick()  # the lock of a worker that was killed may outlive it for a moment
        tournament.refresh_from_db()
        if not tournament.is_over:
            bring_end_of_break(tournament)
            assert kill_again_and_again("tick") > 5
            tournament.refresh_from_db()
    assert_settled_once(tournament)


@pytest.mark.django_db(transaction=True)
def test_a_killed_worker_loses_no_chip_of_a_shoot_out(
    make_tournament_of, make_player, kill_again_and_again
):
    """R10.11: meanwhile players are disqualified and self-excluded."""
    tournament = make_tournament_of(
        format="shoot-out", seats=3, qualifiers=1, stakes="1, 2", deals=2, bots_to=6
    )
    users = [make_player() for _ in range(3)]
    enter(tournament, *users)
    bring_start(tournament)
    assert kill_again_and_again("tick") > 10
    tournament.refresh_from_db()
    first, *others = open_tables(tournament)
    play_table_to_its_last_move(first)
    exclude_oneself(user_id=users[0].pk, until=None)
    disqualify(tournament_id=tournament.pk, user_id=users[1].pk)
    assert kill_again_and_again("table", first.pk) > 2
    for table in others:
        play_table(table)
    assert kill_again_and_again("tick") > 5
    tick()
    chips = RoundSeat.objects.filter(round__number=1).aggregate(all=Sum("chips"))["all"]
    tournament.refresh_from_db()
    assert chips == 6 * tournament.starting_stack
    assert tournament.status == LifecycleStatus.BREAK
    bring_end_of_break(tournament)
    assert kill_again_and_again("tick") > 5
    play_round(tournament)
    assert_paid_once(tournament, entrants=6)
    assert tournament.entrants.get(user=users[1]).prize == 0


@pytest.mark.django_db(transaction=True)
def test_concurrent_ticks_do_everything_once(field_of_seven):
    def tick_here():
        try:
            return tick()
        finally:
            connection.close()

    def tick_twice():
        with ThreadPoolExecutor(2) as threads:
            for done in [threads.submit(tick_here) for _ in range(4)]:
                done.result(30)

    bring_start(field_of_seven)
    tick_twice()
    field_of_seven.refresh_from_db()
    while not field_of_seven.is_over:
        for table in open_tables(field_of_seven):
            play_table(table)
        tick_twice()
        bring_end_of_break(field_of_seven)
        tick_twice()
        field_of_seven.refresh_from_db()
    assert_settled_once(field_of_seven)


@pytest.mark.parametrize("field_of_seven", [False], indirect=True, ids=["drawn"])
@pytest.mark.django_db(transaction=True)
def test_a_tournament_survives_a_killed_worker_and_an_emptied_redis(workers, field_of_seven):
    tournament = field_of_seven
    doomed, _survivor = workers.start(), workers.start()
    bring_start(tournament)
    send_ticks(20)

    def has_status(*wanted):
        return lambda: Tournament.objects.get(pk=tournament.pk).status in wanted

    wait_until(has_status(LifecycleStatus.PLAYING), meanwhile=send_ticks)
    for table in open_tables(tournament):
        play_table(table)
    send_ticks(10)
    doomed.send_signal(signal.SIGKILL)
    doomed.wait(10)
    wait_until(lambda: Tournament.objects.get().next_round_at, meanwhile=send_ticks)
    # All queued jobs are lost. The next tick finds the due work in the database.
    empty_redis()
    bring_end_of_break(tournament)
    wait_until(lambda: open_tables(tournament), meanwhile=send_ticks)
    for table in open_tables(tournament):
        play_table(table)
    empty_redis()
    wait_until(has_status(LifecycleStatus.FINISHED), meanwhile=lambda: send_ticks(3))
    assert_settled_once(tournament)


@pytest.mark.django_db
def test_a_broken_tournament_does_not_stop_the_others(make_tournament_of, make_player, caplog):
    broken, sound = make_tournament_of(name="Broken"), make_tournament_of(name="Sound")
    for tournament in (broken, sound):
        enter(tournament, make_player(), make_player())
        bring_start(tournament)
    Tournament.objects.filter(pk=broken.pk).update(preset="no such rules")
    tick()
    for tournament in (broken, sound):
        tournament.refresh_from_db()
    assert (sound.status, sound.broken_at) == (LifecycleStatus.PLAYING, None)
    assert broken.status == LifecycleStatus.REGISTERING
    assert broken.broken_at is not None
    assert "no such rules" in broken.broken_reason
    assert "out of order" in caplog.text
    assert pool_of(broken) == 200
    assert not Round.objects.filter(tournament=broken).exists()
    tick()  # it waits for the staff
    Tournament.objects.filter(pk=broken.pk).update(
        preset="deals2", broken_at=None, broken_reason=""
    )
    assert tick_and_reload(broken).status == LifecycleStatus.PLAYING
