"""A tool for disputes: questions about hands of basic rummy, and answers, as JSON lines.

`check`: `{"groups": [[cards], …]}`, which kind of meld each is.
`arrange`: `{"hand": cards, "table": [[melds lying], …]}`, the least count after laying.

Cards are written without a pack. `ruleset` names a preset, `rules` sets single fields of it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.basic.rules.laying import best_laying
from games.basic.rules.ruleset import PRESETS, BasicRules, parse_rules
from games.cards import FACE_TEXT, PRINTED_JOKER, Card
from games.engine.base import JSON
from games.engine.laying import WORD_FOR_RUN
from games.engine.melds import Meld, as_meld
from games.hand_questions import (
    BadQuestion,
    HandQuestions,
    Question,
    face_texts,
    read_face,
    read_list,
)

# One more than a hand has after drawing.
_MOST_CARDS: Final = 11


def answer(question: str, line: str) -> str:
    """Answer a line of JSON with a line of JSON, or with `{"error": sentence}`."""
    return _QUESTIONS.answer(question, line)


def _check(asked: Mapping[str, Any], rules: BasicRules) -> dict[str, JSON]:
    groups = _groups(asked["groups"], "groups")
    _refuse_twice(groups)
    kinds: list[JSON] = []
    for group in groups:
        meld = as_meld(group, rules.shape)
        kinds.append(None if meld is None else "set" if meld.is_set else WORD_FOR_RUN)
    return {"kinds": kinds}


def _arrange(asked: Mapping[str, Any], rules: BasicRules) -> dict[str, JSON]:
    hand = _cards(asked["hand"], "hand")
    if not 0 < len(hand) <= _MOST_CARDS:
        raise BadQuestion(f"A hand has 1 to {_MOST_CARDS} cards, not {len(hand)}.")
    table = _groups(asked["table"], "table")
    _refuse_twice([hand, *table])
    best = best_laying(hand, [_lying(group, rules) for group in table], rules.shape)
    return {
        "points": best.points,
        "groups": [face_texts(group) for group in best.groups],
        "lay_offs": [[FACE_TEXT[card], meld] for card, meld in best.lay_offs],
        "loose": face_texts(best.loose),
    }


_QUESTIONS: Final = HandQuestions(
    {
        "check": Question(_check, frozenset({"groups"})),
        "arrange": Question(_arrange, frozenset({"hand", "table"})),
    },
    PRESETS,
    parse_rules,
)
QUESTIONS: Final = tuple(_QUESTIONS.asked)


def _lying(group: tuple[Card, ...], rules: BasicRules) -> Meld:
    meld = as_meld(group, rules.shape)
    if meld is None:
        raise BadQuestion(f"{' '.join(face_texts(group))} is no meld.")
    return meld


def _groups(value: object, name: str) -> list[tuple[Card, ...]]:
    return [_cards(group, name) for group in read_list(value, name)]


def _cards(value: object, name: str) -> tuple[Card, ...]:
    faces = [read_face(text) for text in read_list(value, name)]
    if PRINTED_JOKER in faces:
        raise BadQuestion("Basic rummy is played without jokers.")
    return tuple(map(Card, faces))


def _refuse_twice(groups: Sequence[Sequence[Card]]) -> None:
    seen: set[Card] = set()
    for group in groups:
        for card in group:
            if card in seen:
                raise BadQuestion(f"{FACE_TEXT[card]} is there twice.")
            seen.add(card)
