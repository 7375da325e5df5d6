"""The previous version's part of an upgrade, run by tests/upgrade/__main__.py.

python -m tests.upgrade.before FACTS   makes a site with everything, and writes facts about it as JSON
python -m tests.upgrade.before         plays on beside the new version, on the database that it has migrated
"""

import json
import random
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

import django

django.setup()

from django.apps import apps
from django.core.management import call_command
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import User
from games.registry import GAMES, get_format
from players.ranking.leaderboards import draw_leaderboards
from players.ranking.ratings import SETTLES_WITHIN, count_matches
from players.ranking.seasons import turn_season
from tables.live.clock import act_on_table
from tables.models import Match, MatchStatus, Table, TableStatus
from tables.seating.hosting.private_tables import make_code
from tests.e2e.site_map import admin_places, places
from tests.e2e.world import World, make_player, make_world
from tests.more_rows import add_rows
from tests.points_tables import open_points_table
from tests.tables.driving import play_for_a_player, start_match
from wallet.ledger.balances import get_player_balances
from wallet.ledger.checks import check_ledger, seal_ledger

MOVES = 12
MOVES_BESIDE = 3


def make_site() -> World:
    """Make a world with rows in as many database tables as possible, and a running match of every game."""
    world = make_world()
    turn_season(now=timezone.now())
    add_rows(world, 1)
    for code, game in GAMES.items():
        preset = next(iter(game.rules.presets.values()))
        format = get_format(code, game.money.get_format_code(preset))
        terms = {"game": code, "preset": preset.name, "point_value": 0}
        name, seats = f"In play: {code}", format.seats[0]
        table = open_points_table(name, seats=seats, **terms, invite_code=make_code())
        start_match(table, *(make_player(f"{code} {n}") for n in range(format.seats[0])))
        play_some_moves(table, MOVES)
    finished = Match.objects.filter(status=MatchStatus.FINISHED)
    finished.update(ended_at=Now() - 2 * SETTLES_WITHIN)
    count_matches()
    draw_leaderboards()
    seal_ledger()
    check_ledger()
    call_command("migrate", verbosity=0)  # rows that it tidies up must not count as lost later
    return world


def play_some_moves(table: Table, number: int) -> None:
    rng = random.Random(table.pk)
    for _ in range(number):
        table.refresh_from_db()
        if table.status != TableStatus.PLAYING:
            return
        # A turn may have timed out, because upgrades take time and other processes slow them down.
        if act_on_table(table.pk) is None:
            play_for_a_player(table, strength="medium", rng=rng)


def facts_of(world: World) -> dict[str, Any]:
    """Return the facts that the new version must find: row counts by model, balances, and people's pages."""
    rows = Counter({model._meta.label: model._base_manager.count() for model in apps.get_models()})
    people = {name: getattr(world, name).pk for name in ("nila", "ravi", "leela", "staff")}
    return {
        "rows": dict(+rows),
        "balances": {
            pk: asdict(get_player_balances(pk))
            for pk in User.objects.order_by("pk").values_list("pk", flat=True)
        },
        "pages": [
            [people.get(place.who), place.path] for place in [*places(world), *admin_places()]
        ],
    }


def play_beside() -> None:
    for table in Table.objects.filter(name__startswith="In play: ", status=TableStatus.PLAYING):
        play_some_moves(table, MOVES_BESIDE)


def main(facts: str = "") -> None:
    if not facts:
        play_beside()
        return
    call_command("migrate", verbosity=0)
    Path(facts).write_text(json.dumps(facts_of(make_site())))


if __name__ == "__main__":
    main(*sys.argv[1:])
