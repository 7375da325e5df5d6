"""Moves of basic rummy on the wire."""

import pytest

from games.basic.game import GAME
from games.engine.base import IllegalMove

GOOD = [
    {"kind": "draw", "source": "open"},
    {"kind": "draw", "source": "closed"},
    {"kind": "meld", "groups": [["7H.0", "7S.0", "7D.0"], ["2C.0", "3C.0", "4C.0"]]},
    {"kind": "lay_off", "meld": 0, "cards": ["8H.0"]},
    {"kind": "discard", "card": "7H.0"},
    {"kind": "arrange", "rev": 2**31 - 1, "groups": []},
    {"kind": "leave"},
]
BAD: list[object] = [
    None,
    [],
    "draw",
    {},
    {"kind": 7},
    {"kind": []},
    {"kind": "drop"},
    {"kind": "draw"},
    {"kind": "draw", "source": "deck"},
    {"kind": "draw", "source": ["open"]},
    {"kind": "draw", "source": "open", "card": "7H.0"},
    {"kind": "discard", "card": "7H"},
    {"kind": "discard", "card": "7H.1"},
    {"kind": "discard", "card": "PJ.0"},
    {"kind": "discard", "card": 7},
    {"kind": "discard", "card": None},
    {"kind": "meld", "groups": "all"},
    {"kind": "meld", "groups": [[]]},
    {"kind": "meld", "groups": ["7H.0"]},
    {"kind": "meld", "groups": [["7H.0"] * 12]},
    {"kind": "meld", "groups": [["7H.0"]] * 12},
    {"kind": "lay_off", "meld": "0", "cards": ["8H.0"]},
    {"kind": "lay_off", "meld": True, "cards": ["8H.0"]},
    {"kind": "lay_off", "meld": -1, "cards": ["8H.0"]},
    {"kind": "lay_off", "meld": 17, "cards": ["8H.0"]},
    {"kind": "lay_off", "meld": 0, "cards": ["8H.0"] * 12},
    {"kind": "arrange", "rev": 2**31, "groups": []},
    {"kind": "arrange", "rev": 1.0, "groups": []},
]


@pytest.mark.parametrize("wire", GOOD)
def test_a_move_survives_the_wire(wire):
    assert GAME.wire.write(GAME.wire.read(wire)) == wire


@pytest.mark.parametrize("wire", BAD)
def test_what_is_no_move(wire):
    with pytest.raises(IllegalMove) as refusal:
        GAME.wire.read(wire)
    assert refusal.value.code == "malformed_move"


def test_what_is_no_arrangement():
    for rev, groups in ((-1, []), (1, [["7H"]]), (1, None)):
        with pytest.raises(IllegalMove):
            GAME.wire.read({"kind": "arrange", "rev": rev, "groups": groups})
