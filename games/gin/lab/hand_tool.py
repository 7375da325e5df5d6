"""The hand tool, which settles disputes: it answers questions about hands of gin as lines of JSON.

`arrange`: `{"hand": ten or eleven cards}` asks for the least deadwood and the melds that leave it.
`defend`: `{"hand": ten cards, "melds": the knocker's, "gin": false}` asks for the least deadwood after the answer.
`score`: `{"knocker": deadwood, "defender": deadwood, "kind": "knock", "gin" or "big_gin"}` asks for the points.

Cards are written without a pack. `ruleset` names a preset, and `rules` changes single fields of it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.cards import FACE_TEXT, PRINTED_JOKER, Card
from games.engine.base import JSON
from games.engine.game import HandTool
from games.gin.rules.defence import find_best_defence
from games.gin.rules.melding import arrange, arrange_eleven, find_big_gin
from games.gin.rules.melds import meld_kind
from games.gin.rules.ruleset import HAND_SIZE, PRESETS, GinRules, load_rules
from games.gin.rules.scoring import score
from games.gin.rules.state import KnockKind
from games.hand_questions import BadQuestion, HandQuestion, HandQuestions, face_texts, read_face

# Ten tens: the most that a hand counts if nothing of it is laid.
_DEAREST_HAND: Final = 100


def _arrange(asked: Mapping[str, Any], rules: GinRules) -> dict[str, JSON]:
    hand = _read_cards(asked["hand"])
    if len(hand) not in (HAND_SIZE, HAND_SIZE + 1):
        raise BadQuestion(f"A hand has 10 or 11 cards, not {len(hand)}.")
    has_eleven = len(hand) > HAND_SIZE
    all_melded = find_big_gin(hand) if has_eleven and rules.big_gin_bonus else None
    best = all_melded or (arrange_eleven(hand) if has_eleven else arrange(hand))
    return {
        "points": best.deadwood,
        "groups": [face_texts(group) for group in best.groups],
        "loose": face_texts(best.loose),
        "discard": None if best.discard is None else FACE_TEXT[best.discard],
        "may_knock": best.deadwood <= rules.knock_limit,
        "big_gin": all_melded is not None,
    }


def _defend(asked: Mapping[str, Any], _rules: GinRules) -> dict[str, JSON]:
    is_gin = asked.get("gin", False)
    if type(is_gin) is not bool:
        raise BadQuestion("gin is true or false.")
    if not isinstance(asked["hand"], list) or not isinstance(asked["melds"], list):
        raise BadQuestion("A hand is a list of cards, melds is a list of lists of cards.")
    if not all(isinstance(meld, list) for meld in asked["melds"]):
        raise BadQuestion("melds is a list of lists of cards.")
    _read_cards([*asked["hand"], *(card for meld in asked["melds"] for card in meld)])
    hand = _read_cards(asked["hand"])
    melds = tuple(_read_cards(meld) for meld in asked["melds"])
    if len(hand) != HAND_SIZE:
        raise BadQuestion(f"A hand has 10 cards, not {len(hand)}.")
    _check_melds(melds, is_gin=is_gin)
    best = find_best_defence(hand, () if is_gin else melds)
    return {
        "points": best.deadwood,
        "groups": [face_texts(group) for group in best.groups],
        "lay_offs": [[FACE_TEXT[card], meld] for card, meld in best.lay_offs],
        "loose": face_texts(best.loose),
    }


def _check_melds(melds: Sequence[Sequence[Card]], *, is_gin: bool) -> None:
    for meld in melds:
        if meld_kind(meld) is None:
            raise BadQuestion(f"{' '.join(face_texts(meld))} is no meld.")
    melded = sum(map(len, melds))
    if melded > HAND_SIZE + 1:
        raise BadQuestion(f"{melded} cards are more than a hand has.")
    if is_gin and melded < HAND_SIZE:
        raise BadQuestion("Gin has no card outside its melds.")


def _score(asked: Mapping[str, Any], rules: GinRules) -> dict[str, JSON]:
    knocker, defender = _read_deadwood(asked["knocker"]), _read_deadwood(asked["defender"])
    kinds = {kind.value: kind for kind in KnockKind}
    if not isinstance(asked["kind"], str) or asked["kind"] not in kinds:
        raise BadQuestion("kind is knock, gin or big_gin.")
    kind = kinds[asked["kind"]]
    if kind is KnockKind.KNOCK and knocker > rules.knock_limit:
        raise BadQuestion(f"Nobody knocks with more than {rules.knock_limit}.")
    if kind is not KnockKind.KNOCK and knocker:
        raise BadQuestion("Gin has no deadwood.")
    if kind is KnockKind.BIG_GIN and not rules.big_gin_bonus:
        raise BadQuestion("Big gin is not played by these rules.")
    knocker_scores, _, points = score(kind, knocker, defender, rules)
    winner = "knocker" if knocker_scores else "defender"
    return {"winner": winner, "points": points, "undercut": not knocker_scores}


_QUESTIONS: Final = HandQuestions(
    {
        "arrange": HandQuestion(_arrange, frozenset({"hand"})),
        "defend": HandQuestion(_defend, frozenset({"hand", "melds"}), frozenset({"gin"})),
        "score": HandQuestion(_score, frozenset({"knocker", "defender", "kind"})),
    },
    PRESETS,
    load_rules,
)
TOOL: Final = HandTool(tuple(_QUESTIONS.asked), _QUESTIONS.answer)


def _read_deadwood(value: object) -> int:
    if type(value) is not int or not 0 <= value <= _DEAREST_HAND:
        raise BadQuestion(f"Deadwood is a whole number from 0 to {_DEAREST_HAND}.")
    return value


def _read_cards(texts: object) -> tuple[Card, ...]:
    if not isinstance(texts, list):
        raise BadQuestion("A hand is a list of cards.")
    cards = tuple(map(_read_card, texts))
    for place, card in enumerate(cards):
        if card in cards[:place]:
            raise BadQuestion(f"{FACE_TEXT[card]} is there twice.")
    return cards


def _read_card(text: object) -> Card:
    face = read_face(text)
    if face == PRINTED_JOKER:
        raise BadQuestion("Gin is played without jokers.")
    return Card(face)
