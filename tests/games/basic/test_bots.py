"""The bots of basic rummy: their choices in given positions."""

from msgspec.structs import replace

from games.basic.game import GAME
from games.basic.rules.ruleset import POINTS
from tests.games.basic.scenes import draw_card, scene
from tests.games.driving import bot_move
from tests.games.scenes import change_player


def test_hard_takes_the_card_that_makes_a_meld():
    match = scene("7H 7S KD 4C 2D", "QH 9C", open_pile="7D")
    assert bot_move(GAME, match, 0) == {"kind": "draw", "source": "open"}
    assert bot_move(GAME, scene("7H 7S KD 4C 2D", "QH 9C", open_pile="JD"), 0)["source"] == "closed"
    easy = {bot_move(GAME, match, 0, "easy", number)["source"] for number in range(20)}
    assert easy == {"open", "closed"}


def test_hard_goes_out_with_the_open_card():
    match = scene("7H 7S", "QH 9C", open_pile="7D")
    assert bot_move(GAME, match, 0) == {"kind": "draw", "source": "open"}


def test_an_empty_open_pile_is_not_drawn_from():
    match = scene("7H 7S", "QH 9C")
    empty = replace(match, deal=replace(match.deal, open_pile=()))
    assert bot_move(GAME, empty, 0)["source"] == "closed"
    assert bot_move(GAME, empty, 0, "medium")["source"] == "closed"


def test_melds_then_lay_offs_then_the_discard():
    match = draw_card(scene("7H 7S 7D 8C KD", "2H", table="5C 6C 7C", next_closed="9C"))
    move = bot_move(GAME, match, 0)
    assert move["kind"] == "meld"
    match = GAME.core.play(
        match, 0, GAME.wire.read(move), now=match.deal.due_at, seed=bytes(32)
    ).state
    assert bot_move(GAME, match, 0) == {"kind": "lay_off", "meld": 0, "cards": ["8C.0", "9C.0"]}


def test_one_meld_a_turn_is_the_dearest():
    rules = replace(POINTS, melds_a_turn=1)
    match = draw_card(scene("7H 7S 7D KC KS KD 2C", "2H", next_closed="9C", rules=rules))
    assert bot_move(GAME, match, 0) == {"kind": "meld", "groups": [["KS.0", "KD.0", "KC.0"]]}
    both = draw_card(scene("7H 7S 7D KC KS", "2H", next_closed="KD", rules=rules))
    match = GAME.core.play(
        both, 0, GAME.wire.read(bot_move(GAME, both, 0)), now=both.deal.due_at, seed=bytes(32)
    ).state
    assert bot_move(GAME, match, 0)["kind"] == "discard"


def test_the_last_card_is_kept_for_the_discard():
    rules = replace(POINTS, must_discard_last=True)
    match = draw_card(scene("7H 7S 7D", "2H", next_closed="7C", rules=rules))
    move = bot_move(GAME, match, 0)
    assert [len(group) for group in move["groups"]] == [3]


def test_hard_keeps_cards_that_the_next_player_collects():
    match = scene("JS 2C 3D", "KD KC 3S", "4H", next_closed="TH")
    match = draw_card(change_player(match, 1, taken=match.deal.players[1].hand[:1]))
    assert bot_move(GAME, match, 0)["card"] != "KH.0"


def test_easy_forgets_to_lay_now_and_then():
    kinds = set()
    for last in ("9C", "TC", "8D", "JD", "QD", "3H", "4H", "9S"):
        match = draw_card(scene("7H 7S 7D KC 2C", "2H", next_closed=last))
        kinds.add(bot_move(GAME, match, 0, "easy")["kind"])
    assert kinds == {"meld", "discard"}
