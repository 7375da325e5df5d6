"""What tracing one stored match of four people costs a worker: `bin/bench tracing` (docs/fair-play.md).

Plays matches of points rummy through the services (`--matches 40`), with a bot choosing for each
person, and traces them: reading the record, the sums, the rows. The goal is 100 ms.
"""

import argparse
import os
import random
import time
from statistics import median

import django

os.environ["DATABASE_POOL"] = "0"  # as in a worker
django.setup()

from django.utils import timezone

from bench.growth import move
from bench.sitting import seat_people
from games.registry import get_game
from tables.history.fairplay.tracing import trace_match
from tables.models import Match, MatchStatus, MatchTrace
from tables.seating.opening import TableTerms, open_table
from wallet import api as wallet

GOAL_MS = 100
SEATS = 4


def played(number: int) -> Match:
    """A match of new people, until it is over."""
    table = open_table(
        TableTerms(
            game="indian", preset="points", name=f"Traced {number}", max_seats=SEATS, point_value=1
        )
    )
    people = seat_people(table, f"traced{number}x", SEATS)
    game, rng = get_game("indian"), random.Random(number)  # noqa: S311 - repeats
    while not Match.objects.filter(table=table, status=MatchStatus.FINISHED).exists():
        table.refresh_from_db()
        state = game.stored.load(bytes(table.state or b""))
        seat = game.core.status(state).acting[0]
        view = {
            "public": game.view.public(state),
            "you": game.view.private(state, seat),
            "rules": table.rules,
        }
        wanted = game.bots(view, seat, strength="medium", rng=rng)
        move(table, people[seat], wanted)  # type: ignore[arg-type] # a move on the wire
    return Match.objects.get(table=table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=40)
    matches = parser.parse_args().matches
    wallet.set_starting_fees(valid_from=timezone.now())
    took = []
    for number in range(matches):
        match = played(number)
        began = time.process_time()
        if not trace_match(match.pk):
            raise RuntimeError("not traced")
        took.append((time.process_time() - began) * 1000)
    rows = MatchTrace.objects.count()
    took.sort()
    print(
        f"{matches} matches of four, {rows} rows; processor time of one: median "
        f"{median(took):.0f} ms, 95 of 100 below {took[len(took) * 95 // 100]:.0f} ms, longest "
        f"{took[-1]:.0f} ms (goal {GOAL_MS} ms)"
    )


if __name__ == "__main__":
    main()
