"""The course of a run: one fault after another, everybody back after each, and looks between."""

import argparse
import asyncio
import os
import random
import time
from collections.abc import Sequence

from bench.chaos.checks import check
from bench.chaos.faults import KINDS, Faults, choose
from bench.chaos.players import Player
from bench.chaos.report import Fault, Record, report
from bench.chaos.seating import bring_more, seat_players
from bench.chaos.site import Site
from bench.chaos.timers import Timers
from bench.processes import SiteError

SECONDS_BETWEEN_CHECKS = 60
SECONDS_TO_RECOVER = 60
SECONDS_TO_BEGIN = 5
# Of a process that nobody has to share the machine with.
SECONDS_OF_START = 4
# A killed process may not even have been missed before that.
SECONDS_TO_SHOW = 0.7


async def run(site: Site, options: argparse.Namespace) -> list[str]:
    """Prints the report; returns what is wrong."""
    chance = random.Random(options.seed)  # noqa: S311 - no secret
    players = await asyncio.to_thread(seat_players, site.address, options.tables, chance)
    over = asyncio.Event()
    playing = [asyncio.create_task(player.play(over)) for player in players]
    timers, record = Timers(os.environ["DATABASE_URL"]), Record()
    timers.start()
    await asyncio.sleep(SECONDS_TO_BEGIN)
    await _inject(site, options, chance, players, record)
    await _look(players, record)
    await _be_ready(site, record)
    over.set()
    await asyncio.gather(*playing)
    timers.stop()
    print(report(record, players, timers))
    return list(record.wrong)


async def _inject(
    site: Site,
    options: argparse.Namespace,
    chance: random.Random,
    players: Sequence[Player],
    record: Record,
) -> None:
    faults = Faults(site, chance, os.environ["DATABASE_URL"], os.environ["REDIS_URL"])
    kinds = options.kinds or KINDS
    until, checked = time.monotonic() + options.minutes * 60, time.monotonic()
    names = {name for name, _ in site.leaders()}
    number = 0
    while record.kills < options.kills and time.monotonic() < until:
        # Each kind once, and then as they come.
        kind = kinds[number] if number < len(kinds) else choose(chance, kinds)
        number += 1
        began = time.monotonic()
        try:
            if not await faults.inject(kind):
                await asyncio.sleep(0.5)
                continue
        except SiteError as error:
            record.note([f"{kind}: {error}"])
        record.faults.append(await _recover(players, record, kind, began))
        print(f"{number:4} {kind:14} {time.monotonic() - began:5.1f} s", flush=True)
        if options.whole:
            await _be_whole(site, names, record)
        await asyncio.sleep(options.quiet)
        if time.monotonic() - checked > SECONDS_BETWEEN_CHECKS:
            await _look(players, record)
            checked = time.monotonic()


async def _recover(players: Sequence[Player], record: Record, kind: str, began: float) -> Fault:
    """Wait until every player is back."""
    ended = time.monotonic()
    await asyncio.sleep(SECONDS_TO_SHOW)
    away = players
    while away and time.monotonic() < ended + SECONDS_TO_RECOVER:
        await asyncio.sleep(0.1)
        away = [player for player in players if not player.is_back(time.monotonic())]
    if away:
        at = sorted(player.table_id for player in away)
        record.note([f"stuck: after {kind} nobody is back at tables {at}"])
    return Fault(kind, began, ended, time.monotonic())


async def _be_whole(site: Site, names: set[str], record: Record) -> None:
    """Wait until every process of the Procfile is there and has had the time to begin."""
    until = time.monotonic() + SECONDS_TO_RECOVER
    there = site.leaders()
    since = time.monotonic()
    while {name for name, _ in there} < names or time.monotonic() - since < SECONDS_OF_START:
        await asyncio.sleep(0.2)
        if (now := site.leaders()) != there:
            there, since = now, time.monotonic()
        if time.monotonic() > until:
            record.note([f"stuck: {names - {name for name, _ in there}} did not come back"])
            return


async def _be_ready(site: Site, record: Record) -> None:
    """In the end clock and workers do what they are there for."""
    until = time.monotonic() + SECONDS_TO_RECOVER
    while not await asyncio.to_thread(site.answers, "/readyz"):
        if time.monotonic() > until:
            record.note(["stuck: the site does not become ready again (/readyz)"])
            return
        await asyncio.sleep(1)


async def _look(players: Sequence[Player], record: Record) -> None:
    for _ in range(20):
        try:
            wrong = await asyncio.to_thread(check, players)
            await asyncio.to_thread(bring_more, players)
        except Exception as error:  # noqa: BLE001 - asked again: the database was just hit
            reason = str(error).partition("\n")[0]
            print(f"     the check has to wait: {reason}", flush=True)
            await asyncio.sleep(1)
        else:
            record.note(wrong)
            record.checks += 1
            return
    record.note(["a check could not be made within twenty tries"])
