"""A day of a crowd, told: what each job takes, and which one falls behind."""

import json
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from django.test import Client

from accounts.models import User
from bench.day.crowd import SEATS, make_crowd
from bench.day.loads import Habits, jobs
from bench.day.measuring import ASSUMED, seconds_of_items, seconds_of_runs
from bench.day.schedule import NOISE, Job, a_day
from bench.day.workers import GOALS, enough
from bench.growth import milliseconds
from tables.models import TableTemplate
from tables.seating.supply import play_now
from wallet import api as wallet

# What a worker does side by side, and at which queues (Procfile): where nothing is said, and where each
# queue has workers of its own.
USUAL: Final[Mapping[str, int]] = {"live": 2, "mail": 2, "slow,history": 2, "coach": 1}
CONCURRENCY: Final[Mapping[str, int]] = {"live": 2, "mail": 2, "slow": 2, "history": 2, "coach": 1}
PAGES: Final = {"first page": "/", "all tables": "/tables/", "leaderboards": "/leaderboards/"}


def let_a_day_pass(players: int, keep: Path | None) -> None:
    """Let a day pass. The measurements are written to the file `keep`."""
    began = time.perf_counter()
    table = make_crowd(players)
    print(
        f"{players} players at {players // SEATS} tables, made in {time.perf_counter() - began:.0f} s"
    )
    fixed = seconds_of_runs()
    _read_pages()
    each = seconds_of_items(table)
    if keep:
        keep.write_text(json.dumps({"fixed": fixed, "each": each}, indent=1))
    tell_a_day(players, fixed, each)


def tell_a_day(players: int, fixed: Mapping[str, float], each: Mapping[str, float]) -> None:
    """`fixed` and `each` as seconds_of_runs and seconds_of_items measure them."""
    habits = Habits(players=players)
    print(
        f"{habits.people_of_a_day:.0f} people a day, {habits.matches_a_second:.0f} matches a second"
        " in the evening"
    )
    of_the_day = jobs(habits, fixed, each)
    _tell("one worker each, as in the Procfile", of_the_day, USUAL)
    for goal, wrong in GOALS.items():
        processes = enough(of_the_day, CONCURRENCY, wrong)
        workers = ", ".join(f"{number} of {queue}" for queue, number in processes.items())
        places = {queue: number * CONCURRENCY[queue] for queue, number in processes.items()}
        _tell(f"so that {goal}, as far as more workers help: {workers}", of_the_day, places)


def _read_pages() -> None:
    user = User.objects.create_user("reader@example.com", None, player_name="Reader")
    wallet.grant_welcome_chips(user_id=user.pk)
    client = Client(SERVER_NAME="localhost")
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    for name, address in PAGES.items():
        size = len(client.get(address).content) / 1000
        print(
            f"{name:14} {milliseconds(partial(client.get, address))}, {size:.0f} KB",
            flush=True,
        )
    template = TableTemplate.objects.order_by("-pk")[0]
    began = time.perf_counter()
    play_now(template_id=template.pk, user_id=user.pk)
    print(f"play now       {1000 * (time.perf_counter() - began):6.1f} ms", flush=True)


def _tell(title: str, of_the_day: Sequence[Job], places: Mapping[str, int]) -> None:
    told = a_day(of_the_day, places)
    print(f"\n{title}")
    print("| job | every | a run | an item | most a second | longest wait | left at midnight | |")
    print("|---|---|---|---|---|---|---|---|")
    for job in sorted(of_the_day, key=lambda job: (told[job.name].verdict(job), job.name)):
        done = told[job.name]
        item = f"{1000 * job.each:.1f} ms" if job.each else "-"
        if job.name in ASSUMED:
            item += " (assumed)"
        waits = f"{done.longest_wait:.0f} s"
        left = f"{done.left:.0f} of {done.came:.0f}" if done.came else "-"
        runs = done.runs + done.expired
        verdict = done.verdict(job)
        if done.expired > NOISE * runs:
            verdict += f", {done.expired / runs:.0%} of its runs never begin"
        print(
            f"| {job.name} | {job.period:.0f} s | {job.fixed:.2f} s | {item} |"
            f" {job.most_a_second:.1f} | {waits} | {left} | {verdict} |",
            flush=True,
        )
