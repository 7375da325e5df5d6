"""What a tournament costs: charging, drawing, seating and opening tables; paying; a whole one.

`bin/bench tournament` prints the times for fields of 1,000 and 10,000, the cost of an entrant in a
larger field against a smaller one (the best of several rounds of each), and the payment of 2,000
prizes. `--large` adds a field of 50,000. `--play 600` plays a tournament of so many bots to its end
through the functions of the clock and the tick: nobody waits, every deadline is brought to now.
`--cancel 5000` cancels one of so many people in the middle of its first round.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from datetime import timedelta

import django

os.environ["BOTS_WAIT_FOR_PEOPLE"] = "0"  # it is played by bots alone
django.setup()

from django.db import connection, transaction
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import User
from games.registry import get_game
from tables.live.clock import act_on_table, due_tables
from tables.models import Change, Deal, Table, TableStatus
from tournaments.models import Entrant, RoundTable, Tournament, TournamentTemplate
from tournaments.rules.lifecycle import Status
from tournaments.running.bots import enter_together
from tournaments.running.cancelling import cancel, wind_up
from tournaments.running.scheduling import make_tournament
from tournaments.running.tick import act_on_tournament, tick
from tournaments.store.rows import lock_tournament
from wallet import api as wallet
from wallet.api import Prize
from wallet.ledger import chart
from wallet.ledger.balances import balance
from wallet.ledger.chart import Line
from wallet.ledger.checks import reconcile
from wallet.ledger.posting import post_transfers
from wallet.models import Reason
from wallet.money import Currency

FEE = 100
# Fees taken by one statement, in a transaction of its own.
CHARGED_AT_ONCE = 1_000
PRIZES = 2_000
# How often each field is measured; a small one is over in less than a second.
ROUNDS = {1_000: 5, 10_000: 2, 50_000: 1}


def players(number: int) -> list[User]:
    """People with chips; not part of what is measured."""
    known = User.objects.filter(is_bot=False).count()
    User.objects.bulk_create(
        [
            User(email=f"b{n}@example.com", player_name=f"Bench {n}", password="!")  # noqa: S106
            for n in range(known, number)
        ],
        batch_size=5_000,
    )
    users = list(User.objects.filter(is_bot=False).order_by("pk")[:number])
    mint = chart.mint(Currency.CHIPS, 0)
    for start in range(known, number, 5_000):
        lines = [
            Line(mint, chart.player(user.pk, Currency.CHIPS), 100 * FEE, Reason.WELCOME)
            for user in users[start : start + 5_000]
        ]
        if lines:
            post_transfers(key=f"bench:{start}", lines=lines)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return users


def new_tournament(**terms: object) -> Tournament:
    template = TournamentTemplate.objects.create(
        game="indian",
        preset="deals2",
        name="Bench",
        entry_fee=FEE,
        rake_bps=1_000,
        max_entrants=50_000,
        deals=1,
        **terms,
    )
    now = timezone.now()
    tournament = make_tournament(template, starts_at=now + timedelta(hours=1), now=now)
    Tournament.objects.filter(pk=tournament.pk).update(status=Status.REGISTERING)
    return tournament


def started(users: Sequence[User]) -> Tournament:
    """A tournament in which all of them have just been seated."""
    tournament = new_tournament()
    for start in range(0, len(users), CHARGED_AT_ONCE):
        with transaction.atomic():
            row = lock_tournament(tournament.pk)
            enter_together(row, users[start : start + CHARGED_AT_ONCE])
            row.save()
    Tournament.objects.filter(pk=tournament.pk).update(starts_at=Now(), due_at=Now())
    insist(act_on_tournament(tournament.pk), "nothing was due")
    Table.objects.filter(status=TableStatus.STARTING).update(deadline_at=Now())
    return tournament


def timed_start(users: Sequence[User]) -> tuple[float, float]:
    """Seconds for the charges in batches, and for the draw, the seats and the open tables."""
    tournament = new_tournament()
    began = time.perf_counter()
    for start in range(0, len(users), CHARGED_AT_ONCE):
        with transaction.atomic():
            row = lock_tournament(tournament.pk)
            enter_together(row, users[start : start + CHARGED_AT_ONCE])
            row.save()
    charged = time.perf_counter()
    Tournament.objects.filter(pk=tournament.pk).update(starts_at=Now(), due_at=Now())
    insist(act_on_tournament(tournament.pk), "nothing was due")
    ended = time.perf_counter()
    check_start(tournament, len(users))
    return charged - began, ended - charged


def check_start(tournament: Tournament, field: int) -> None:
    tournament.refresh_from_db()
    insist(tournament.status == Status.PLAYING, "it did not begin")
    tables = RoundTable.objects.filter(round__tournament=tournament)
    insist(tables.count() == -(-field // 6), "tables are missing")
    drawn = Entrant.objects.filter(tournament=tournament, seeding__isnull=False).count()
    insist(drawn == field, "somebody was not drawn")


def insist(true: object, otherwise: str) -> None:
    if not true:
        sys.exit(f"wrong: {otherwise}")


def timed_prizes(users: Sequence[User]) -> float:
    tournament = new_tournament()
    with transaction.atomic():
        row = lock_tournament(tournament.pk)
        enter_together(row, users[:PRIZES])
        row.save()
    began = time.perf_counter()
    with transaction.atomic():
        wallet.settle_tournament(
            tournament_id=tournament.pk,
            currency=Currency.CHIPS,
            prizes=[Prize(user.pk, FEE - 10) for user in users[:PRIZES]],
            overlay=0,
            rake=10 * PRIZES,
        )
    return time.perf_counter() - began


def measure(sizes: Sequence[int]) -> None:
    users = players(max(sizes))
    timed_start(users[:100])  # connections, plans, caches
    each: dict[int, float] = {}
    for size in sizes:
        charged, opened = min((timed_start(users[:size]) for _ in range(ROUNDS[size])), key=sum)
        each[size] = (charged + opened) / size
        print(
            f"{size:>7,} entrants: charges {charged:6.2f} s, draw, seats and "
            f"{-(-size // 6):,} tables {opened:6.2f} s, together {charged + opened:6.2f} s; "
            f"{each[size] * 1_000:.3f} ms an entrant"
        )
    first = sizes[0]
    for size in sizes[1:]:
        ratio = each[size] / each[first]
        print(f"ratio of an entrant's cost, {size:,} to {first:,}: {ratio:.2f}")
    print(f"{PRIZES:,} prizes: {timed_prizes(users):.2f} s")


def play(field: int) -> None:
    """A tournament of bots to the end, through the real path."""
    tournament = new_tournament(bots_to=field, bot_strength="medium", break_seconds=0)
    Tournament.objects.filter(pk=tournament.pk).update(starts_at=Now(), due_at=Now())
    began = time.perf_counter()
    while not tournament.is_over:
        tick()
        hurry()
        while due := due_tables(64):
            for table_id in due:
                act_on_table(table_id)
            hurry()
        tournament.refresh_from_db()
        insist(tournament.broken_at is None, tournament.broken_reason)
    seconds = time.perf_counter() - began
    moves = Change.objects.filter(table__event_url=tournament.get_absolute_url()).count()
    deals = Deal.objects.filter(match__table__event_url=tournament.get_absolute_url()).count()
    paid = sum(tournament.entrants.values_list("prize", flat=True))
    prizes = (tournament.settlement or {}).get("prizes")
    insist(paid == prizes, "the prizes are not the pool")
    findings = reconcile().findings
    print(
        f"{field:,} bots, {tournament.round_number} rounds, {deals:,} deals, {moves:,} changes: "
        f"{seconds:.1f} s ({moves / seconds:,.0f} changes/s); prizes {paid:,} of "
        f"{prizes:,}; ledger: {len(findings)} findings"
    )


def call_off(field: int) -> None:
    """A tournament of so many people is cancelled while they all play."""
    tournament = started(players(field))
    while due := due_tables(64):
        for table_id in due:
            act_on_table(table_id)
        Table.objects.filter(status=TableStatus.STARTING).update(deadline_at=Now())
    playing = Table.objects.filter(status=TableStatus.PLAYING).count()
    began = time.perf_counter()
    cancel(tournament_id=tournament.pk, now=timezone.now(), reason="A storm.")
    marked = time.perf_counter() - began
    steps: list[tuple[float, object]] = []
    while not steps or steps[-1][1]:
        at = time.perf_counter()
        steps.append((at, wind_up(tournament.pk, now=timezone.now())))
    ends = [*(at for at, _ in steps[1:]), time.perf_counter()]
    longest = max(end - at for (at, _), end in zip(steps, ends, strict=True))
    tournament.refresh_from_db()
    insist(tournament.wound_up_at, "it is not wound up")
    pool = chart.prize_pool(tournament.pk, Currency.CHIPS)
    insist(balance(pool) == 0, "fees are missing")
    print(
        f"{field:,} entrants, {playing:,} tables in play: the cancelling request "
        f"{marked * 1_000:.0f} ms; wound up in {sum(ends) - sum(at for at, _ in steps):.1f} s, "
        f"{len(steps)} transactions, the longest {longest * 1_000:.0f} ms"
    )


def hurry() -> None:
    """Nobody thinks, gathers or takes a break."""
    tables = Table.objects.exclude(event_url="").exclude(status=TableStatus.CLOSED)
    tables.filter(bot_due_at__gt=Now()).update(bot_due_at=Now())
    tables.filter(status=TableStatus.STARTING).update(deadline_at=Now())
    game = get_game("indian")
    # Between two deals of a match, and where everybody shows after a declaration.
    idle = tables.filter(status=TableStatus.PLAYING, bot_due_at=None, deadline_at__gt=Now())
    for table in idle:
        state = game.core.postpone(game.stored.load(bytes(table.state or b"")), by_ms=-120_000)
        Table.objects.filter(pk=table.pk).update(state=game.stored.dump(state), deadline_at=Now())


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--large", action="store_true", help="50,000 entrants too")
    parser.add_argument("--play", type=int, metavar="BOTS", help="play a tournament of bots")
    parser.add_argument("--cancel", type=int, metavar="PLAYERS", help="cancel one in play")
    options = parser.parse_args()
    if options.cancel:
        call_off(options.cancel)
    elif options.play:
        play(options.play)
    else:
        measure([1_000, 10_000, *([50_000] if options.large else [])])


main()
