"""A day of a crowd: what each job takes, which one falls behind, and how many workers are enough."""

import time
from functools import partial
from typing import Final

from django.test import Client

from accounts.models import User
from bench.clones import milliseconds
from bench.day.crowd import SEATS, make_crowd
from bench.day.loads import Habits, loads, workers
from bench.day.measuring import ASSUMED, seconds_of_items, seconds_of_runs
from tables.models import TableTemplate
from tables.seating.supply import play_now
from wallet import api as wallet

# What a worker does side by side (Procfile), by queue.
CONCURRENCY: Final = {"live": 2, "mail": 2, "slow": 2, "history": 2, "coach": 1}
PAGES: Final = {"first page": "/", "all tables": "/tables/", "leaderboards": "/leaderboards/"}


def report_a_day(players: int) -> None:
    """Make a crowd, measure the jobs on it and print what a day of it needs."""
    began = time.perf_counter()
    table = make_crowd(players)
    print(
        f"{players} players at {players // SEATS} tables, made in {time.perf_counter() - began:.0f} s"
    )
    fixed = seconds_of_runs()
    _read_pages()
    habits = Habits(players=players)
    of_the_day = loads(habits, fixed, seconds_of_items(table))
    print(
        f"{habits.people_of_a_day:.0f} people a day, {habits.matches_a_second:.0f} matches a second"
        " in the evening\n"
        "| job | queue | every | a run | an item | most a second | cores in the evening | alone |\n"
        "|---|---|---|---|---|---|---|---|"
    )
    for load in sorted(of_the_day, key=lambda load: (load.queue, -max(load.seconds()))):
        item = f"{1000 * load.each:.1f} ms" if load.each else "-"
        assumed = " (assumed)" if load.task in ASSUMED else ""
        print(
            f"| {load.task} | {load.queue} | {load.period:.0f} s | {load.fixed:.2f} s | {item}{assumed} |"
            f" {max(load.comes) / 3600:.1f} | {max(load.seconds()) / 3600:.2f} | {load.verdict()} |"
        )
    for queue, places in CONCURRENCY.items():
        night, evening = (
            workers(of_the_day, queue, places, in_the_evening=late) for late in (False, True)
        )
        print(f"workers of {queue}: {night}, and {evening} so that nothing waits in the evening")


def _read_pages() -> None:
    user = User.objects.create_user("reader@example.com", None, player_name="Reader")
    wallet.grant_welcome_chips(user_id=user.pk)
    client = Client(SERVER_NAME="localhost")
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    for name, address in PAGES.items():
        size = len(client.get(address).content) / 1000
        print(f"{name:14} {milliseconds(partial(client.get, address))}, {size:.0f} KB", flush=True)
    template = TableTemplate.objects.order_by("-pk")[0]
    began = time.perf_counter()
    play_now(template_id=template.pk, user_id=user.pk)
    print(f"play now       {1000 * (time.perf_counter() - began):6.1f} ms", flush=True)
