"""Checks of the new version on a database made by the previous one: everything can be read, and play goes on.

python -m tests.upgrade.after FACTS   prints the faults, and fails if there are any
"""

import json
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

import django

if __name__ == "__main__":
    django.setup()

from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.models import Model
from django.test import Client

from accounts.models import User
from history.records import deal_record
from tables.live.clock import act_on_table
from tables.models import Deal, Match, MatchStatus, Table, TableStatus
from tests.tables.driving import play_for_a_player, run_out_of_time
from tests.tables.replaying import replay
from wallet.ledger.balances import get_player_balances
from wallet.ledger.checks import reconcile, verify_seals

Facts = dict[str, Any]
ROWS_READ = 200
MOST_MOVES = 20_000


def findings(facts: Facts) -> Iterator[str]:
    """Yield sentences about faults. Plays all running matches to their ends."""
    yield from _find_lost_rows(facts)
    yield from _unreadable_rows()
    yield from _balances(facts)
    yield from _ledger()
    yield from _records()
    yield from _pages(facts)
    yield from _matches()
    yield from _ledger()


def _try(what: str, act: Callable[[], object]) -> Iterator[str]:
    try:
        act()
    except Exception as error:  # noqa: BLE001 - each of them is a finding
        yield f"{what}: {type(error).__name__}: {error}"


def _find_lost_rows(facts: Facts) -> Iterator[str]:
    known = {model._meta.label: model for model in apps.get_models()}
    for label, number in facts["rows"].items():
        if label in known and known[label]._base_manager.count() < number:
            yield f"rows lost: {label} had {number}"


def _unreadable_rows() -> Iterator[str]:
    for model in apps.get_models():
        yield from _try(f"rows of {model._meta.label}", partial(_read_rows, model))


def _read_rows(model: type[Model]) -> None:
    for row in model._base_manager.all()[:ROWS_READ]:
        str(row)


def _balances(facts: Facts) -> Iterator[str]:
    for pk, before in facts["balances"].items():
        now = json.loads(json.dumps(asdict(get_player_balances(int(pk)))))
        if {key: now.get(key) for key in before} != before:
            yield f"balances of user {pk}: {before} became {now}"


def _ledger() -> Iterator[str]:
    for found in (*reconcile().findings, *verify_seals().findings):
        yield f"ledger: {found.check}: {found.subject}"


def _records() -> Iterator[str]:
    deals = Deal.objects.filter(match__status=MatchStatus.FINISHED)
    for match_id, number in deals.values_list("match", "number"):
        read = partial(_read_record, match_id, number)
        yield from _try(f"deal {number} of match {match_id}", read)


def _read_record(match_id: int, number: int) -> None:
    if deal_record(match_id=match_id, number=number) is None:
        raise LookupError("it has no record")


def _pages(facts: Facts) -> Iterator[str]:
    """Open the previous version's pages as its people. A page may redirect, but not fail."""
    clients: dict[int | None, Client] = {}
    for pk, path in facts["pages"]:
        if pk not in clients:
            clients[pk] = Client(raise_request_exception=False)
            if pk is not None:
                clients[pk].force_login(
                    User.objects.get(pk=pk), "django.contrib.auth.backends.ModelBackend"
                )
        status = clients[pk].get(path).status_code
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            yield f"page {path} answers {status}"


def _matches() -> Iterator[str]:
    """Replay the running matches and play them to their ends. Yield the faults."""
    for table in Table.objects.filter(status=TableStatus.PLAYING, broken_at=None).order_by("pk"):
        yield from _try(f"the match at {table}", partial(_play_on, table))


def _play_on(table: Table) -> None:
    match = Match.objects.select_related("table").get(pk=table.match_id or 0)
    if replay(match) != bytes(table.state or b""):
        raise ValueError("it replays to another state")
    rng = random.Random(table.pk)
    for _ in range(MOST_MOVES):
        table.refresh_from_db()
        if table.status != TableStatus.PLAYING:
            return
        # A turn may have timed out during the upgrade.
        if act_on_table(table.pk) is not None:
            continue
        if play_for_a_player(table, strength="hard", rng=rng) is None:  # between two deals
            run_out_of_time(table)
            act_on_table(table.pk)
    raise TimeoutError("it does not end")


def main(path: str) -> int:
    # As the site's processes do: only migrations run as the owner.
    connection.close()
    connection.settings_dict["OPTIONS"] = {"options": f"-c role={settings.DATABASE_APP_ROLE}"}
    facts: Facts = json.loads(Path(path).read_text())
    wrong = list(findings(facts))
    print(*wrong, sep="\n", file=sys.stderr)
    tables = Table.objects.filter(name__startswith="In play: ").count()
    print(
        f"{sum(facts['rows'].values())} rows of {len(facts['rows'])} models, {len(facts['pages'])} "
        f"pages, {tables} games played on: {len(wrong)} things wrong"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
