"""What gin sends and reads has the form that its part of the protocol's schema says."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from games.gin.game import GAME as GIN
from games.gin.lab.hand_help import HELP
from games.gin.rules.ruleset import PRESETS
from tests.games.gin.driving import bot_match
from tests.games.gin.scenes import NOTHING, TWO, act, drawing, scene

SCHEMA = json.loads((Path(__file__).resolve().parents[3] / "docs/protocol.schema.json").read_text())


def form(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({**SCHEMA, "anyOf": [{"$ref": f"#/$defs/{name}"}]})


GAME, YOU, MOVE, ANSWER = (form(name) for name in ("ginGame", "ginYou", "ginMove", "ginAnswer"))


@pytest.mark.parametrize("name", ["points", "oklahoma100"])
def test_views_and_moves_have_their_form(name):
    for seed in (1, 2):
        for step in bot_match("medium", "easy", seed=seed, rules=PRESETS[name]):
            GAME.validate(json.loads(json.dumps(GIN.view.public(step.match))))
            for seat in step.match.seats:
                YOU.validate(
                    {
                        **GIN.view.private(step.match, seat),
                        "legal": GIN.core.legal_view(step.match, seat),
                    }
                )
            if step.move is not None:
                MOVE.validate(GIN.wire.write(step.move))


def test_answers_have_their_form():
    match = drawing(scene(TWO, NOTHING, next_closed="2H"))
    ANSWER.validate(HELP.answer(match, 0, {"kind": "arrange"}))
    match = act(match, 0, "knock", card="2H", groups="5H 6H 7H|KS KD KC|9D TD JD")
    ANSWER.validate(HELP.answer(match, 1, {"kind": "defend"}))


@pytest.mark.parametrize(
    "move",
    [{"kind": "draw"}, {"kind": "knock", "groups": []}, {"kind": "drop"}, {"kind": "defend"}],
)
def test_another_form_is_not_that_of_a_move(move: dict[str, Any]):
    assert not MOVE.is_valid(move)
