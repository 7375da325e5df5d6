"""Faults injected into a whole site while simulated players use it: `bin/chaos --kills 500`.

bin/run is started in a folder of its own. Players, written only from docs/protocol.md, play against each
other and against practice bots. One process after another is killed, stopped or replaced, Valkey is emptied
and paused, and rows are locked.

Every minute the database is checked: each acknowledged move is stored once and in order, replays lead to the
stored states, the ledger balances, and no table is broken. At the end the run prints how long players were
away and how late timers were, by kind of fault. The exit status is 1 if a check has failed. Goals that a busy
machine misses are only reported.
"""

import argparse
import asyncio
import os
import random
import sys
import time
from collections.abc import Sequence
from functools import partial

from bench.chaos.course import SECONDS_TO_RECOVER, Course, Fault
from bench.chaos.faults import KILLS, KINDS, SERVERS, Faults, choose
from bench.chaos.site import OF_ANOTHER_SITE, Site, run_site
from bench.chaos.timers import Timers
from bench.processes import SiteError, wait_until

SECONDS_BETWEEN_CHECKS = 60
SECONDS_TO_BEGIN = 5
# Seconds until 95 of 100 players are back, on an otherwise idle machine.
GOAL, GOAL_OF_SERVERS = 2.0, 5.0
GOAL_OF_TIMERS = 3.0


async def run(site: Site, course: Course, timers: Timers, options: argparse.Namespace) -> None:
    with timers.watch():
        async with course.play():
            await asyncio.sleep(SECONDS_TO_BEGIN)
            await inject(site, course, options)
            try:  # in the end clock and workers do what they are there for
                ready = partial(site.answers, "/readyz")
                await asyncio.to_thread(wait_until, ready, SECONDS_TO_RECOVER, pause=1)
            except SiteError:
                course.note("stuck: the site does not become ready again (/readyz)")


async def inject(site: Site, course: Course, options: argparse.Namespace) -> None:
    chance = random.Random(options.seed)  # noqa: S311 - no secret
    faults = Faults(site, chance, os.environ["DATABASE_URL"], os.environ["REDIS_URL"])
    kinds = options.kinds or KINDS
    until, checked = time.monotonic() + options.minutes * 60, time.monotonic()
    number = 0
    while kills(course) < options.kills and time.monotonic() < until:
        # Each kind once, then at random.
        kind = kinds[number] if number < len(kinds) else choose(chance, kinds)
        number += 1
        if not await course.hit(kind, partial(faults.inject, kind), is_outage=kind in SERVERS):
            await asyncio.sleep(0.5)
            continue
        await asyncio.sleep(options.quiet)
        if time.monotonic() - checked > SECONDS_BETWEEN_CHECKS:
            await course.look()
            checked = time.monotonic()


def kills(course: Course) -> int:
    return sum(fault.what in KILLS for fault in course.faults)


def report(course: Course, timers: Timers) -> str:
    def lateness(faults: Sequence[Fault], p95: float) -> str:
        late = max(timers.latest(fault.done, fault.ended) for fault in faults)
        kind, goals = faults[0].what, ""
        if kind in KILLS:
            goal = GOAL_OF_SERVERS if kind in SERVERS else GOAL
            goals = (
                f" (goals: p95 {goal:.0f} {_judge(p95, goal)},"
                f" timers {GOAL_OF_TIMERS:.0f} {_judge(late, GOAL_OF_TIMERS)})"
            )
        return f"; timers late by {late:.1f} s at most{goals}"

    others = len(course.faults) - kills(course)
    return f"{kills(course)} kills and {others} other faults; {course.report(lateness)}"


def _judge(figure: float, goal: float) -> str:
    return "met" if figure <= goal else "MISSED"


def main() -> None:
    options = arguments()
    with run_site(keep_log=options.keep_log) as site:
        given = site.environment()
        for name in OF_ANOTHER_SITE:
            os.environ.pop(name, None)
        os.environ |= {name: given[name] for name in ("DATABASE_URL", "REDIS_URL", "SECRET_KEY")}
        os.environ |= {"DJANGO_SETTINGS_MODULE": "config.settings.local", "DATABASE_POOL": "0"}
        import django  # noqa: PLC0415 - the site's address is known only now

        django.setup()
        from bench.sitting import seat_players  # noqa: PLC0415 - needs the settings

        course = Course(seat_players(site.address, options.tables, options.seed))
        timers = Timers(os.environ["DATABASE_URL"])
        asyncio.run(run(site, course, timers, options))
        print(report(course, timers))
    sys.exit(1 if course.wrong else 0)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=120, help="no longer than this")
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="*", help="only these kinds of faults")
    parser.add_argument("--quiet", type=float, default=2, help="seconds after everybody is back")
    parser.add_argument("--keep-log", help="where to copy the site's log")
    return parser.parse_args()


if __name__ == "__main__":
    main()
