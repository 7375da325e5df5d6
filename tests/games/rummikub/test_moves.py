import pytest

from games.engine.base import IllegalMove
from games.rummikub.game import GAME

MELD = {"cards": ["5H.0", "PJ.1", "7H.0"], "as": ["5H", "6H", "7H"]}
MOVES = [
    {"kind": "lay", "table": [MELD]},
    {"kind": "lay", "table": []},
    {"kind": "draw"},
    {"kind": "pass"},
    {"kind": "arrange", "rev": 12, "table": [MELD]},
    {"kind": "arrange", "rev": 12, "table": [{"cards": ["7H.0", "2C.1"], "as": None}]},
    {"kind": "arrange", "rev": 0, "table": None},
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
        {"kind": "pass", "table": []},
        {"kind": "lay"},
        {"kind": "lay", "table": None},
        {"kind": "lay", "table": {}},
        {"kind": "lay", "table": [[]]},
        {"kind": "lay", "table": [{"cards": ["5H.0"]}]},
        {"kind": "lay", "table": [{"cards": [], "as": []}]},
        {"kind": "lay", "table": [{"cards": ["5H.0"], "as": None}]},
        {"kind": "lay", "table": [{"cards": ["5H.0"], "as": ["5H", "6H"]}]},
        {"kind": "lay", "table": [{"cards": ["5H.0"], "as": ["PJ"]}]},
        {"kind": "lay", "table": [{"cards": ["5H.0"], "as": [5]}]},
        {"kind": "lay", "table": [{"cards": ["5H"], "as": ["5H"]}]},
        {"kind": "lay", "table": [{"cards": ["5H.2"], "as": ["5H"]}]},
        {"kind": "lay", "table": [{"cards": [5], "as": ["5H"]}]},
        {"kind": "lay", "table": [{"cards": ["5H.0", "5H.0"], "as": ["5H", "5H"]}]},
        {"kind": "lay", "table": [MELD, MELD]},
        {"kind": "lay", "table": [MELD] * 107},
        {"kind": "lay", "table": [{"cards": ["5H.0"] * 107, "as": ["5H"] * 107}]},
        {"kind": "arrange", "table": None},
        {"kind": "arrange", "rev": True, "table": None},
        {"kind": "arrange", "rev": -1, "table": None},
        {"kind": "arrange", "rev": 2**31, "table": None},
        {"kind": "arrange", "rev": 1, "table": [["5H.0"]]},
        {"kind": "arrange", "rev": 1, "table": [{"cards": ["5H.0"]}]},
        {"kind": "arrange", "rev": 1, "table": [{"cards": ["5H.0"], "as": ["5H", "6H"]}]},
    ],
    ids=str,
)
def test_anything_odd_is_a_malformed_move(data):
    with pytest.raises(IllegalMove) as refusal:
        GAME.wire.read(data)
    assert refusal.value.code == "malformed_move"


def test_a_draft_is_an_arrangement():
    move = GAME.wire.read(
        {"kind": "arrange", "rev": 3, "table": [{"cards": ["5H.0", "PJ.1", "7H.0"], "as": None}]}
    )
    assert GAME.wire.write(move) == {"kind": "arrange", "rev": 3, "table": [MELD]}
    assert (
        GAME.wire.write(GAME.wire.read({"kind": "arrange", "rev": 4, "table": None}))["table"]
        is None
    )
    with pytest.raises(IllegalMove):
        GAME.wire.read({"kind": "arrange", "rev": -1, "table": []})
    with pytest.raises(IllegalMove):
        GAME.wire.read({"kind": "arrange", "rev": 1, "table": "7H.0"})


def test_a_draft_keeps_what_the_player_says_of_a_joker():
    said = {"cards": ["4S.0", "4H.0", "PJ.0"], "as": ["4S", "4H", "4C"]}
    assert GAME.wire.write(GAME.wire.read({"kind": "arrange", "rev": 1, "table": [said]}))[
        "table"
    ] == [said]
    wrong = {"cards": ["4S.0", "4H.0", "PJ.0"], "as": ["4S", "4H", "9C"]}
    read = {"cards": ["4S.0", "4H.0", "PJ.0"], "as": ["4S", "4H", "4D"]}
    assert GAME.wire.write(GAME.wire.read({"kind": "arrange", "rev": 1, "table": [wrong]}))[
        "table"
    ] == [read]
