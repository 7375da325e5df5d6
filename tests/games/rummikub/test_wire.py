"""What Rummikub sends and reads has the form that its part of the protocol's schema says."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from games.rummikub.game import GAME as RUMMIKUB
from games.rummikub.lab.hand_help import HELP
from games.rummikub.rules.ruleset import PRESETS
from tests.games.rummikub.driving import bot_match
from tests.games.rummikub.scenes import draft, own, scene

SCHEMA = json.loads((Path(__file__).resolve().parents[3] / "docs/protocol.schema.json").read_text())


def form(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({**SCHEMA, "anyOf": [{"$ref": f"#/$defs/{name}"}]})


GAME, YOU, MOVE, ANSWER = (form(f"rummikub{name}") for name in ("Game", "You", "Move", "Answer"))


@pytest.mark.parametrize("name", ["points", "session4", "modern"])
def test_views_and_moves_have_their_form(name):
    for step in bot_match("medium", "easy", "hard", seed=2, rules=PRESETS[name]):
        GAME.validate(json.loads(json.dumps(RUMMIKUB.view.public(step.match))))
        for seat in step.match.seats:
            legal = RUMMIKUB.core.legal_view(step.match, seat)
            YOU.validate({**RUMMIKUB.view.private(step.match, seat), "legal": legal})
        if step.move is not None:
            MOVE.validate(RUMMIKUB.wire.write(step.move))


def test_drafts_and_answers_have_their_form():
    match = scene("8H PJ TH 4S 4H PJ 2C", table="5H 6H 7H")
    match = draft(match, 0, "8H PJ TH|4S 4H PJ|5H 6H 7H")
    YOU.validate({**own(match, 0), "legal": RUMMIKUB.core.legal_view(match, 0)})
    YOU.validate({**own(draft(match, 0, "5H 6H", rev=2), 0), "legal": []})
    ANSWER.validate(HELP.answer(match, 0, {"kind": "lay"}))
    ANSWER.validate(HELP.answer(scene("2C"), 0, {"kind": "lay"}))


@pytest.mark.parametrize(
    "move",
    [
        {"kind": "lay"},
        {"kind": "lay", "table": [["5H.0"]]},
        {"kind": "drop"},
        {"kind": "draw", "source": "closed"},
    ],
)
def test_another_form_is_not_that_of_a_move(move: dict[str, Any]):
    assert not MOVE.is_valid(move)
