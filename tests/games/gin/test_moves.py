import pytest

from games.engine.base import IllegalMove
from games.gin.game import GAME

MOVES = [
    {"kind": "draw", "source": "closed"},
    {"kind": "draw", "source": "open"},
    {"kind": "pass"},
    {"kind": "discard", "card": "7H.0"},
    {"kind": "knock", "card": "KD.0", "groups": [["4H.0", "5H.0", "6H.0"]]},
    {"kind": "knock", "card": None, "groups": []},
    {"kind": "defend", "groups": [["2H.0"]], "lay_offs": [["8H.0", 0], ["9H.0", 2]]},
    {"kind": "arrange", "rev": 12, "groups": [["2H.0"]]},
    {"kind": "leave"},
]


@pytest.mark.parametrize("move", MOVES, ids=str)
def test_every_move_survives_the_wire(move):
    assert GAME.wire.write(GAME.wire.read(move)) == move


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "pass",
        {},
        {"kind": "drop"},
        {"kind": ["pass"]},
        {"kind": "pass", "card": "7H.0"},
        {"kind": "draw"},
        {"kind": "draw", "source": "left"},
        {"kind": "discard", "card": "7H"},
        {"kind": "discard", "card": None},
        {"kind": "discard", "card": "7H.1"},
        {"kind": "discard", "card": "PJ.0"},
        {"kind": "discard", "card": 7},
        {"kind": "knock", "card": "7H.0"},
        {"kind": "knock", "card": "7H.0", "groups": None},
        {"kind": "knock", "card": 7, "groups": []},
        {"kind": "knock", "card": None, "groups": [[]]},
        {"kind": "knock", "card": None, "groups": [["7H.0", 1]]},
        {"kind": "knock", "card": None, "groups": [["7H.0"]] * 12},
        {"kind": "knock", "card": None, "groups": [["7H.0"] * 12]},
        {"kind": "defend", "groups": []},
        {"kind": "defend", "groups": [], "lay_offs": None},
        {"kind": "defend", "groups": [], "lay_offs": [["7H.0"]]},
        {"kind": "defend", "groups": [], "lay_offs": [["7H.0", "0"]]},
        {"kind": "defend", "groups": [], "lay_offs": [["7H.0", True]]},
        {"kind": "defend", "groups": [], "lay_offs": [["7H.0", -1]]},
        {"kind": "defend", "groups": [], "lay_offs": [["7H.0", 11]]},
        {"kind": "defend", "groups": [], "lay_offs": ["7H.0"]},
        {"kind": "defend", "groups": [], "lay_offs": [["7H.0", 0]] * 12},
        {"kind": "arrange", "groups": [["7H.0"]]},
        {"kind": "arrange", "rev": True, "groups": []},
        {"kind": "arrange", "rev": -1, "groups": []},
        {"kind": "arrange", "rev": 2**31, "groups": []},
    ],
    ids=str,
)
def test_anything_odd_is_a_malformed_move(data):
    with pytest.raises(IllegalMove) as refusal:
        GAME.wire.read(data)
    assert refusal.value.code == "malformed_move"


def test_a_draft_is_an_arrangement():
    move = GAME.wire.read({"kind": "arrange", "rev": 3, "groups": [["7H.0"], ["AS.0"]]})
    assert GAME.wire.write(move) == {"kind": "arrange", "rev": 3, "groups": [["7H.0"], ["AS.0"]]}
    with pytest.raises(IllegalMove):
        GAME.wire.read({"kind": "arrange", "rev": -1, "groups": []})
    with pytest.raises(IllegalMove):
        GAME.wire.read({"kind": "arrange", "rev": 1, "groups": "7H.0"})
