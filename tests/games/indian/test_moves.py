import pytest

from games.engine.base import IllegalMove
from games.indian.game import GAME
from games.registry import GAMES, get_game

MOVES = [
    {"kind": "draw", "source": "closed"},
    {"kind": "draw", "source": "open"},
    {"kind": "discard", "card": "7H.0"},
    {"kind": "drop"},
    {"kind": "finish", "card": "PJ.1"},
    {"kind": "declare", "groups": [["2H.0", "3H.0"], ["PJ.0"]]},
    {"kind": "show", "groups": []},
    {"kind": "arrange", "rev": 12, "groups": [["2H.0"]]},
    {"kind": "leave"},
    {"kind": "rejoin", "accept": True},
    {"kind": "offer_split"},
    {"kind": "answer_split", "accept": False},
]


@pytest.mark.parametrize("move", MOVES, ids=str)
def test_every_move_survives_the_wire(move):
    assert GAME.wire.write(GAME.wire.read(move)) == move


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "drop",
        {},
        {"kind": "fly"},
        {"kind": ["drop"]},
        {"kind": "drop", "card": "7H.0"},
        {"kind": "draw"},
        {"kind": "draw", "source": "left"},
        {"kind": "draw", "source": None},
        {"kind": "discard", "card": "7H"},
        {"kind": "discard", "card": "7H.4"},
        {"kind": "discard", "card": 7},
        {"kind": "discard", "card": "7H.0", "seat": 1},
        {"kind": "declare", "groups": None},
        {"kind": "declare", "groups": ["7H.0"]},
        {"kind": "declare", "groups": [[]]},
        {"kind": "declare", "groups": [["7H.0", 1]]},
        {"kind": "declare", "groups": [["7H.0"]] * 15},
        {"kind": "declare", "groups": [["7H.0"] * 15]},
        {"kind": "arrange", "groups": [["7H.0"]]},
        {"kind": "arrange", "rev": "1", "groups": []},
        {"kind": "arrange", "rev": True, "groups": []},
        {"kind": "arrange", "rev": -1, "groups": []},
        {"kind": "arrange", "rev": 2**31, "groups": []},
        {"kind": "rejoin", "accept": 1},
    ],
    ids=str,
)
def test_anything_odd_is_a_malformed_move(data):
    with pytest.raises(IllegalMove) as refusal:
        GAME.wire.read(data)
    assert refusal.value.code == "malformed_move"


def test_the_registry_knows_the_game():
    assert get_game("indian") is GAMES["indian"]
    assert GAME.code == "indian"
    assert {format.seats for format in GAME.formats} == {range(2, 7)}
    with pytest.raises(KeyError):
        get_game("poker")
