"""What basic and Contract Rummy send and read has the form that the protocol's schema says."""

import json
import random
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from games.basic.game import GAME as BASIC
from games.contract.game import GAME as CONTRACT
from games.contract.lab.hand_help import HELP as CONTRACT_HELP
from tests.effort import share_of
from tests.games.contract.scenes import scene
from tests.games.laid.driving import drive, random_choosing
from tests.games.values import replace

SCHEMA = json.loads((Path(__file__).resolve().parents[3] / "docs/protocol.schema.json").read_text())


def form(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({**SCHEMA, "anyOf": [{"$ref": f"#/$defs/{name}"}]})


@pytest.mark.parametrize(
    ("game", "name"), [(BASIC, "points"), (BASIC, "race100"), (CONTRACT, "multiple_buys")]
)
def test_views_moves_and_answers_have_their_form(game: Any, name: str):
    valid = {part: form(game.code + part) for part in ("Game", "You", "Move", "Answer")}
    rules, answers = game.rules.preset(name), 0
    if game is CONTRACT:
        rules = replace(rules, deals=2, max_turns=10)
    for seed in range(share_of(3)):
        choose = random_choosing(game, random.Random(seed))
        for step in drive(game, choose, rules=rules, seed=seed):
            valid["Game"].validate(json.loads(json.dumps(game.view.public(step.match))))
            for seat in step.match.seats:
                own = game.view.private(step.match, seat)
                valid["You"].validate({**own, "legal": game.core.legal_view(step.match, seat)})
                plays = any(move.kind == "arrange" for move in game.core.legal(step.match, seat))
                if plays and not own["drawn"]:
                    player = next(p for p in step.match.deal.players if p.seat == seat)
                    if player.laid_in is None:
                        said = game.hand_help.answer(step.match, seat, {"kind": "arrange"})
                        valid["Answer"].validate(said)
                        answers += 1
            if step.move is not None and step.move.kind != "arrange":
                valid["Move"].validate(game.wire.write(step.move))
    assert answers > 20


def test_another_form_is_not_that_of_a_move():
    moves = form("contractMove")
    assert not moves.is_valid({"kind": "meld", "groups": []})
    assert not moves.is_valid({"kind": "contract", "melds": [["7H.0"]]})
    assert not form("basicMove").is_valid({"kind": "buy"})
    said = CONTRACT_HELP.answer(scene("7H 7S", "3S"), 0, {"kind": "arrange"})
    assert not form("basicAnswer").is_valid(said)
