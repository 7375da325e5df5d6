"""What a game does that says nothing of it: no offers, no help, one entry fee each."""

from typing import Any

import pytest

from games.defaults import GameDefaults, legal_templates
from games.engine.base import DealStart, IllegalMove, InvalidRules

STATE: Any = object()


class Bare(GameDefaults):
    """Two seats that may draw from either pile, or leave."""

    def members(self, _state: Any) -> tuple[int, ...]:
        return (3, 1)

    def legal(self, _state: Any, seat: int) -> tuple[dict[str, Any], ...]:
        draws = ({"kind": "draw", "source": source} for source in ("closed", "open"))
        return (*draws, {"kind": "leave"}) if seat == 3 else ({"kind": "leave"},)

    def move_json(self, move: dict[str, Any]) -> dict[str, Any]:
        return {**move, "kind": str(move["kind"]).lower()}


def test_everybody_pays_one_entry_fee():
    assert Bare().fees_charged(STATE) == {3: 1, 1: 1}


def test_moves_of_one_kind_are_one_entry():
    assert Bare().legal_view(STATE, 3) == [
        {"kind": "draw", "source": ["closed", "open"]},
        {"kind": "leave"},
    ]
    assert Bare().legal_view(STATE, 1) == [{"kind": "leave"}]


def test_an_entry_lists_a_value_once_and_kinds_in_their_order():
    moves: list[dict[str, Any]] = [
        {"kind": "knock", "card": "7H.0", "gin": True},
        {"kind": "discard", "card": "7H.0"},
        {"kind": "knock", "card": "2C.0", "gin": True},
        {"kind": "knock", "card": None},
    ]
    assert legal_templates(moves) == [
        {"kind": "knock", "card": ["7H.0", "2C.0", None], "gin": [True]},
        {"kind": "discard", "card": ["7H.0"]},
    ]
    assert legal_templates([]) == []


def test_there_is_nothing_to_ask_for_or_to_offer():
    game = Bare()
    assert game.deferrable(STATE, 3) == ()
    assert game.propose(STATE, now=0) is None
    assert game.conclude(STATE) is None
    assert game.shares_offered(STATE) is None
    assert (dict(game.questions), game.hand_questions, game.open_moves) == ({}, (), frozenset())
    assert game.anytime_moves == frozenset()
    assert (dict(game.texts), tuple(game.rule_facts)) == ({}, ())


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (lambda game: game.draft(1, []), "This game keeps nothing that is not played."),
        (lambda game: game.answer(STATE, 3, {"kind": "arrange"}), "This game has no such help."),
    ],
    ids=["draft", "answer"],
)
def test_help_is_refused(asked, sentence):
    with pytest.raises(IllegalMove) as refusal:
        asked(Bare())
    assert (refusal.value.code, refusal.value.message) == ("no_such_help", sentence)


def test_nothing_is_hidden_recorded_or_reviewed():
    game = Bare()
    assert game.nothing_private() == {"hand": []}
    assert game.deal_record(DealStart([{"kind": "dealt"}], {"3": {"hand": ["7H.0"]}}, (3, 1))) == {}
    assert game.step_record([{"kind": "drawn", "seat": 3}], {"3": {"drawn": "7H.0"}}) == {}
    assert game.review({"steps": [{"seat": 3}]}) == []


def test_no_lesson_no_tournament_no_hand_tool():
    game = Bare()
    assert game.lesson_preset() is None
    assert game.event_start({"name": "points"}) == 0
    with pytest.raises(InvalidRules, match="not for tournaments"):
        game.for_event({"name": "points"}, deals=2, qualifiers=1)
    with pytest.raises(InvalidRules, match="no questions about hands"):
        game.hand_answer("check", "{}")
