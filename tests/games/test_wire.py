"""Moves of each game on the wire: valid edge cases and malformed moves."""

import json

import pytest

from games.engine.base import IllegalMove
from tests.games.driving import GAMES

LAID = '{"cards": ["7H.0", "PJ.1"], "as": ["7H", "8H"]}'
MELD = '{"cards": ["5H.0", "PJ.1", "7H.0"], "as": ["5H", "6H", "7H"]}'
MANY = json.dumps([["7H.0"]] * 15)
LONG = json.dumps([["7H.0"] * 15])
# The largest valid values, and moves that hardly ever occur in matches.
EDGES = [
    ("gin", '"knock", "card": null, "groups": []'), ("basic", '"lay_off", "meld": 16, "cards": ["8H.0"]'),
    ("contract", '"swap_joker", "meld": 14, "card": "7H.3", "to": "front"'),
    ("contract", '"discard", "card": "PJ.3"'), ("rummikub", '"lay", "table": []'),
    ("rummikub", '"arrange", "rev": 0, "table": null'),
    ("rummikub", '"arrange", "rev": 12, "table": [{"cards": ["7H.0", "2C.1"], "as": null}]'),
]  # fmt: skip
ANY = ['7', '[]', '["draw"]', '"fly"', '"leave", "card": "7H.0"', '"arrange", "groups": []',
       '"arrange", "rev": true, "groups": []', '"arrange", "rev": 2147483648, "groups": []']  # fmt: skip
DRAWS = ['"draw"', '"draw", "source": "left"', '"draw", "source": ["open"]',
         '"draw", "source": "open", "card": "7H.0"', '"discard", "card": "7H"',
         '"discard", "card": 7', '"discard", "card": null']  # fmt: skip
REFUSED = {
    "indian": [
        *ANY, *DRAWS, '"discard", "card": "7H.8"', '"declare", "groups": null',
        '"declare", "groups": ["7H.0"]', '"declare", "groups": [[]]',
        '"declare", "groups": [["7H.0", 1]]', f'"declare", "groups": {MANY}',
        f'"declare", "groups": {LONG}', '"rejoin", "accept": 1',
    ],
    "gin": [
        *ANY, *DRAWS, '"discard", "card": "7H.1"', '"discard", "card": "PJ.0"',
        '"knock", "card": "7H.0"', '"knock", "card": 7, "groups": []',
        '"knock", "card": null, "groups": [[]]', f'"knock", "card": null, "groups": {MANY}',
        f'"knock", "card": null, "groups": {LONG}', '"defend", "groups": []',
        '"defend", "groups": [], "lay_offs": null', '"defend", "groups": [], "lay_offs": ["7H.0"]',
        *[f'"defend", "groups": [], "lay_offs": [["7H.0", {n}]]' for n in ('"0"', "true", -1, 11)],
        f'"defend", "groups": [], "lay_offs": {json.dumps([["7H.0", 0]] * 12)}',
    ],
    "basic": [
        *ANY, *DRAWS, '"discard", "card": "7H.1"', '"discard", "card": "PJ.0"',
        '"meld", "groups": "all"', '"meld", "groups": [[]]', '"meld", "groups": ["7H.0"]',
        f'"meld", "groups": {MANY}', f'"meld", "groups": {LONG}',
        *[f'"lay_off", "meld": {n}, "cards": ["8H.0"]' for n in ('"0"', "true", -1, 17)],
        f'"lay_off", "meld": 0, "cards": {json.dumps(["8H.0"] * 12)}',
    ],
    "contract": [
        *ANY, *DRAWS, '"meld", "groups": []', '"buy", "card": "7H.0"', '"never_buy", "on": 1',
        f'"contract", "melds": [{LAID}, {LAID}, {LAID}, {LAID}]',
        '"contract", "melds": [{"cards": ["7H.0", "PJ.1"], "as": ["7H"]}]',
        '"contract", "melds": [{"cards": ["7H.0", "PJ.1"], "as": ["7H", "PJ"]}]',
        '"contract", "melds": [{"cards": ["7H.0"], "as": [7]}]', '"contract", "melds": [["7H.0"]]',
        '"contract", "melds": [{"cards": ["7H.0"], "as": ["7H"], "kind": "set"}]',
        '"lay_off", "meld": 0, "laid": null', '"swap_joker", "meld": 0, "card": "7H.0"',
        '"swap_joker", "meld": 0, "card": "7H.0", "to": "middle"',
    ],
    "rummikub": [
        *ANY, '"pass", "table": []', '"lay"', '"lay", "table": null', '"lay", "table": {}',
        '"draw", "source": "closed"', '"lay", "table": [[]]', '"lay", "table": [{"cards": ["5H.0"]}]',
        *[f'"lay", "table": [{{"cards": {cards}, "as": {faces}}}]' for cards, faces in (
            ("[]", "[]"), ('["5H.0"]', "null"), ('["5H.0"]', '["5H", "6H"]'), ('["5H.0"]', '["PJ"]'),
            ('["5H.0"]', "[5]"), ('["5H"]', '["5H"]'), ('["5H.2"]', '["5H"]'), ("[5]", '["5H"]'),
            ('["5H.0", "5H.0"]', '["5H", "5H"]'),
        )],
        f'"lay", "table": [{MELD}, {MELD}]', '"arrange", "rev": 1, "table": [["5H.0"]]',
        '"arrange", "rev": 1, "table": [{"cards": ["5H.0"], "as": ["5H", "6H"]}]',
    ],
}  # fmt: skip


def move(text: str) -> object:
    read: object = json.loads(f'{{"kind": {text}}}')
    return read


@pytest.mark.parametrize(("code", "text"), EDGES)
def test_a_move_survives_the_wire(code, text):
    wire = GAMES[code].wire
    assert json.loads(json.dumps(wire.write(wire.read(move(text))))) == move(text)


@pytest.mark.parametrize(
    ("code", "text"), [(code, text) for code, texts in REFUSED.items() for text in texts]
)
def test_malformed_moves_are_refused_by_the_wire(code, text):
    with pytest.raises(IllegalMove) as refusal:
        GAMES[code].wire.read(move(text))
    assert refusal.value.code == "malformed_move"


@pytest.mark.parametrize(
    ("said", "kept"), [(None, ["5H", "6H", "7H"]), (["5H", "6H", "7H"], ["5H", "6H", "7H"])]
)
def test_a_draft_of_rummikub_states_the_reading_of_its_joker(said, kept):
    """A missing or wrong reading is replaced by a valid one; a valid one is kept."""
    wire = GAMES["rummikub"].wire
    cards = ["5H.0", "PJ.0", "7H.0"]
    read = wire.read({"kind": "arrange", "rev": 1, "table": [{"cards": cards, "as": said}]})
    assert wire.write(read)["table"] == [{"cards": cards, "as": kept}]
    group = ["4S.0", "4H.0", "PJ.0"]
    for told, as_read in (
        (["4S", "4H", "4C"], ["4S", "4H", "4C"]),
        (["4S", "4H", "9C"], ["4S", "4H", "4D"]),
    ):
        read = wire.read({"kind": "arrange", "rev": 1, "table": [{"cards": group, "as": told}]})
        assert wire.write(read)["table"] == [{"cards": group, "as": as_read}]
