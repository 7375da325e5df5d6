"""Faults injected into a whole site while people play at it: `bin/chaos --kills 500`.

bin/run is started in a folder of its own; players written from docs/protocol.md play against each
other and against practice bots. One process after another is killed, stopped or replaced, Valkey
emptied and paused, rows held. Every minute the database is asked whether each acknowledged move is
stored once and in order, replays lead to the stored states, the ledger balances and nothing is
out of order. At the end: how long players were away by kind of fault. Exit status 1 if anything is
wrong.
"""

import argparse
import asyncio
import os
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.chaos.report import Record, report
from bench.chaos.site import Site

SECONDS_BETWEEN_CHECKS = 60
SECONDS_TO_RECOVER = 40
QUIET_SECONDS = 2.0


def main() -> None:
    options = arguments()
    var = Path(tempfile.mkdtemp(prefix="openrummy-chaos-"))
    var.chmod(0o755)
    site = Site(var)
    try:
        site.start()
        site.await_ready()
        given = site.environment()
        os.environ.update(
            DATABASE_URL=given["DATABASE_URL"],
            REDIS_URL=given["REDIS_URL"],
            SECRET_KEY=given["SECRET_KEY"],
            DJANGO_SETTINGS_MODULE="config.settings.local",
            DATABASE_POOL="0",
        )
        import django  # noqa: PLC0415 - the site's address is known only now

        django.setup()
        record = asyncio.run(run(site, options))
    finally:
        site.stop()
        shutil.rmtree(var, ignore_errors=True)
    sys.exit(1 if record.wrong else 0)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=120, help="no longer than this")
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="*", help="only these kinds of faults")
    return parser.parse_args()


async def run(site: Site, options: argparse.Namespace) -> Record:
    from bench.chaos import faults  # noqa: PLC0415 - needs the settings
    from bench.chaos.seating import seat_players  # noqa: PLC0415

    rng = random.Random(options.seed)  # noqa: S311 - no secret
    players = await asyncio.to_thread(seat_players, site.address, options.tables, rng)
    over = asyncio.Event()
    playing = [asyncio.create_task(player.play(over)) for player in players]
    injector = faults.Faults(site, rng, os.environ["DATABASE_URL"], os.environ["REDIS_URL"])
    record = Record()
    await asyncio.sleep(5)
    kinds = options.kinds or faults.KINDS
    until, checked = time.monotonic() + options.minutes * 60, time.monotonic()
    kills = number = 0
    while kills < options.kills and time.monotonic() < until:
        kind = kinds[number % len(kinds)] if number < len(kinds) else rng.choice(kinds)
        number += 1
        began = time.monotonic()
        if not await injector.inject(kind):
            await asyncio.sleep(0.5)
            continue
        kills += kind in faults.KILLS
        await recover(players, record, kind, began)
        print(f"{number:4} {kind:16} {time.monotonic() - began:5.1f} s", flush=True)
        if time.monotonic() - checked > SECONDS_BETWEEN_CHECKS:
            await look(players, record)
            checked = time.monotonic()
    await look(players, record)
    over.set()
    await asyncio.gather(*playing)
    print(report(record, players, faults.KILLS))
    return record


async def recover(players: list, record: Record, kind: str, began: float) -> None:  # type: ignore[type-arg] # Player, imported late
    """Wait until every player hears of the server again, and some quiet seconds more."""
    from bench.chaos.checks import overdue_seconds  # noqa: PLC0415 - needs the settings

    until = time.monotonic() + SECONDS_TO_RECOVER
    await asyncio.sleep(QUIET_SECONDS)
    silent = players
    while silent and time.monotonic() < until:
        await asyncio.sleep(0.1)
        now = time.monotonic()
        silent = [one for one in players if not one.heard or now - one.heard[-1] >= 1]
    if silent:
        at = sorted(player.table_id for player in silent)
        record.wrong.append(f"after {kind}: players at tables {at} hear nothing of the server")
    record.faults.append((kind, began, time.monotonic()))
    try:
        record.late[kind].append(await asyncio.to_thread(overdue_seconds))
    except Exception as error:  # noqa: BLE001 - the database is what was hit
        print(f"     {error}", flush=True)


async def look(players: list, record: Record) -> None:  # type: ignore[type-arg] # as above
    from bench.chaos.checks import check  # noqa: PLC0415 - needs the settings

    for _ in range(20):
        try:
            wrong = await asyncio.to_thread(check, players)
        except Exception as error:  # noqa: BLE001 - asked again: the database was just hit
            print(f"     the check has to wait: {error}", flush=True)
            await asyncio.sleep(1)
        else:
            record.wrong += wrong
            record.checks += 1
            return
    record.wrong.append("a check could not be made within twenty tries")


main()
