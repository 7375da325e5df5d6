"""Gin at a real table: what a knock shows to whom. What all games share: test_every_game.py."""

import json
import random
import re
from typing import Any

import pytest

from games.registry import get_game
from tables.models import Table
from tables.play.reading import snapshot
from tests.given import require
from tests.tables.driving import act, game_view, hand_of, player_at, start_match

pytestmark = pytest.mark.django_db
CARD = re.compile(r"\b[A23456789TJQK][SHDC]\.0\b")


@pytest.fixture(autouse=True)
def _offered(settings):
    settings.GAMES_OFFERED = ["indian", "gin"]


def test_the_defenders_hand_is_nobodys_until_they_answer(make_table, make_player):
    """G17: the knocker's cards lie open, the defender's do not, in snapshots too."""
    table = _table_with_a_knock(make_table, make_player)
    view = game_view(table)
    knocker = view["knock"]["seat"]
    hidden = set(hand_of(table, 1 - knocker)["hand"])
    shown = set(hand_of(table, knocker)["hand"])
    for user_id in (None, player_at(table, knocker).pk):
        seen = require(snapshot(table_id=table.pk, user_id=user_id))
        cards = set(CARD.findall(json.dumps(seen.state)))
        assert shown <= cards
        # What the defender took from the open pile everybody has seen.
        assert cards & hidden <= set(view["taken"][str(1 - knocker)])
    defender = require(snapshot(table_id=table.pk, user_id=player_at(table, 1 - knocker).pk))
    assert hidden <= set(CARD.findall(json.dumps(defender.state)))


def _table_with_a_knock(make_table: Any, make_player: Any) -> Table:
    while True:
        table = start_match(make_table(game="gin", max_seats=2), make_player(), make_player())
        if _plays_to_a_knock(table):
            return table


def _plays_to_a_knock(table: Table) -> bool:
    game, rng = get_game("gin"), random.Random(table.pk)
    while True:
        table.refresh_from_db()
        if table.status != "PLAYING":
            return False
        state = game.stored.load(bytes(require(table.state)))
        if game.view.public(state)["phase"] == "defend":
            return True
        seat = game.core.status(state).acting[0]
        view = {
            "public": game.view.public(state),
            "you": game.view.private(state, seat),
            "rules": table.rules,
        }
        move: dict[str, Any] = game.bots(view, seat, strength="hard", rng=rng)
        assert act(table, seat, **move).refusal is None
