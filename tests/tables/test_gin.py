"""Gin at a table: the cards shown after a knock. test_every_game.py has the rest."""

import pytest

from tables.play.reading import snapshot
from tests.given import require
from tests.tables.driving import game_view, hand_of, player_at, start_match
from tests.tables.gin_deals import play_to_knock
from tests.tables.shown_cards import list_cards

pytestmark = pytest.mark.django_db


def test_g17_the_defenders_hand_is_hidden_until_they_answer(make_table, make_player):
    table = start_match(make_table(game="gin"), make_player(), make_player())
    knocker, defender = play_to_knock(table)
    hidden = set(hand_of(table, defender)["hand"])
    shown = set(hand_of(table, knocker)["hand"])
    toss = list_cards(game_view(table)["toss"])
    for user_id in (None, player_at(table, knocker).pk):
        cards = list_cards(require(snapshot(table_id=table.pk, user_id=user_id)).state)
        assert shown <= cards
        assert not (cards - toss) & hidden
    seen = require(snapshot(table_id=table.pk, user_id=player_at(table, defender).pk))
    assert hidden <= list_cards(seen.state)
