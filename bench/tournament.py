"""What a tournament costs: charging, drawing, seating and opening tables; paying; cancelling.

`bin/bench tournament` prints the times for fields of 1,000 and 10,000, the cost of an entrant in a
larger field against a smaller one (the best of several rounds of each), and the payment of 2,000
prizes. `--large` adds a field of 50,000. `--cancel 5000` cancels one of this many people in the middle of
its first round.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from datetime import timedelta

import django

django.setup()

from django.db import connection, transaction
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import User
from tables.live.clock import act_on_table, due_tables
from tables.models import Table, TableStatus
from tournaments.models import Entrant, RoundTable, Tournament, TournamentTemplate
from tournaments.rules.lifecycle import Status
from tournaments.running.bots import enter_together
from tournaments.running.cancelling import cancel, wind_up
from tournaments.running.scheduling import make_tournament
from tournaments.running.tick import act_on_tournament
from tournaments.store.rows import lock_tournament
from wallet import api as wallet
from wallet.api import Prize
from wallet.ledger import chart
from wallet.ledger.balances import balance
from wallet.ledger.chart import Line
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
    """Return people with chips, making those who are missing. Not part of what is measured."""
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


def new_tournament() -> Tournament:
    template = TournamentTemplate.objects.create(
        game="indian",
        preset="deals2",
        name="Bench",
        entry_fee=FEE,
        rake_bps=1_000,
        max_entrants=50_000,
        deals=1,
    )
    now = timezone.now()
    tournament = make_tournament(template, starts_at=now + timedelta(hours=1), now=now)
    Tournament.objects.filter(pk=tournament.pk).update(status=Status.REGISTERING)
    return tournament


def enter(tournament: Tournament, users: Sequence[User]) -> None:
    for start in range(0, len(users), CHARGED_AT_ONCE):
        with transaction.atomic():
            row = lock_tournament(tournament.pk)
            enter_together(row, users[start : start + CHARGED_AT_ONCE])
            row.save()


def start(users: Sequence[User]) -> tuple[Tournament, float, float]:
    """Return a tournament in which all of them have just been seated.

    With it the seconds for the charges, and those for the draw, the seats and the open tables.
    """
    tournament = new_tournament()
    began = time.perf_counter()
    enter(tournament, users)
    charged = time.perf_counter()
    Tournament.objects.filter(pk=tournament.pk).update(starts_at=Now(), due_at=Now())
    insist(act_on_tournament(tournament.pk), "nothing was due")
    ended = time.perf_counter()
    tournament.refresh_from_db()
    insist(tournament.status == Status.PLAYING, "it did not begin")
    tables = RoundTable.objects.filter(round__tournament=tournament)
    insist(tables.count() == -(-len(users) // 6), "tables are missing")
    drawn = Entrant.objects.filter(tournament=tournament, seeding__isnull=False).count()
    insist(drawn == len(users), "somebody was not drawn")
    return tournament, charged - began, ended - charged


def insist(true: object, otherwise: str) -> None:
    if not true:
        sys.exit(f"wrong: {otherwise}")


def seconds_to_pay(users: Sequence[User]) -> float:
    tournament = new_tournament()
    enter(tournament, users)
    began = time.perf_counter()
    with transaction.atomic():
        wallet.settle_tournament(
            tournament_id=tournament.pk,
            currency=Currency.CHIPS,
            prizes=[Prize(user.pk, FEE - 10) for user in users],
            overlay=0,
            rake=10 * len(users),
        )
    return time.perf_counter() - began


def measure(sizes: Sequence[int]) -> None:
    users = players(max(sizes))
    start(users[:100])  # connections, plans, caches
    each: dict[int, float] = {}
    for size in sizes:
        charged, opened = min((start(users[:size])[1:] for _ in range(ROUNDS[size])), key=sum)
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
    print(f"{PRIZES:,} prizes: {seconds_to_pay(users[:PRIZES]):.2f} s")


def call_off(field: int) -> None:
    """Cancel a tournament while everybody plays."""
    tournament, _charged, _opened = start(players(field))
    Table.objects.filter(status=TableStatus.STARTING).update(deadline_at=Now())
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true", help="50,000 entrants too")
    parser.add_argument("--cancel", type=int, metavar="PLAYERS", help="cancel one in play")
    options = parser.parse_args()
    if options.cancel:
        call_off(options.cancel)
    else:
        measure([1_000, 10_000, *([50_000] if options.large else [])])


if __name__ == "__main__":
    main()
