"""Questions about hands of Contract Rummy, asked and answered as JSON lines.

`check`: `{"contract": ["set", "run", …], "melds": [{"cards", "as"}, …], "last": bool}`, whether these
melds are the contract; `last` is the contract that takes the whole hand.
`missing`: `{"hand": cards, "contract": […]}`, how many cards it lacks.

Cards are written without a pack. `ruleset` names a preset, `rules` sets single fields of it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.cards import FACE_TEXT, MAX_PACKS, MOST_JOKERS, PRINTED_JOKER, Card
from games.contract.rules.melds import CONTRACT_NOT_MET, Laid, as_meld, contract_refusal
from games.contract.rules.missing import missing
from games.contract.rules.ruleset import PRESETS, Contract, ContractRules, parse_rules
from games.engine.base import JSON
from games.engine.fields import UNREADABLE, reader
from games.engine.moves import NOT_A_MELD, Refusal
from games.hand_questions import (
    BadQuestion,
    HandQuestions,
    Question,
    face_texts,
    read_face,
    read_list,
)

# The most cards of a hand, after three buys and a draw.
_MOST_CARDS: Final = 19


def answer(question: str, line: str) -> str:
    """Answer a line of JSON with a line of JSON: `{"error": sentence}` if there is no answer."""
    return _QUESTIONS.answer(question, line)


def _check(asked: Mapping[str, Any], rules: ContractRules) -> dict[str, JSON]:
    contract = _contract(asked["contract"])
    is_last = asked.get("last", False)
    if type(is_last) is not bool:
        raise BadQuestion("last is true or false.")
    laid = _melds(asked["melds"])
    refusal = _refusal(laid, contract, rules, is_last=is_last)
    return {"valid": refusal is None, "reason": None if refusal is None else refusal.code}


def _refusal(
    laid: Sequence[Laid], contract: Contract, rules: ContractRules, *, is_last: bool
) -> Refusal | None:
    made = [as_meld(one, rules) for one in laid]
    melds = [meld for meld in made if meld is not None]
    if len(melds) < len(made):
        return NOT_A_MELD
    cards = sum(len(meld.cards) for meld in melds)
    if is_last and cards <= rules.hand_sizes[-1]:
        return CONTRACT_NOT_MET
    return contract_refusal(melds, contract, rules, is_whole=is_last)


def _missing(asked: Mapping[str, Any], rules: ContractRules) -> dict[str, JSON]:
    hand = _cards([read_face(text) for text in read_list(asked["hand"], "hand")], Counter())
    if not 0 < len(hand) <= _MOST_CARDS:
        raise BadQuestion(f"A hand has 1 to {_MOST_CARDS} cards, not {len(hand)}.")
    found = missing(hand, _contract(asked["contract"]), rules)
    melds: JSON = None
    if found.melds is not None:
        melds = [
            {"cards": [FACE_TEXT[card.face] for card in laid.cards], "as": face_texts(laid.faces)}
            for laid in found.melds
        ]
    return {"missing": found.lacking, "melds": melds}


_QUESTIONS: Final = HandQuestions(
    {
        "check": Question(_check, frozenset({"contract", "melds"}), frozenset({"last"})),
        "missing": Question(_missing, frozenset({"hand", "contract"})),
    },
    PRESETS,
    parse_rules,
)
QUESTIONS: Final = tuple(_QUESTIONS.asked)


_read_contract: Final = reader(Contract)


def _contract(value: object) -> Contract:
    try:
        return _read_contract(value)  # type: ignore[no-any-return] # a contract
    except UNREADABLE:
        raise BadQuestion("A contract is a list of one to three of set and run.") from None


def _melds(value: object) -> list[Laid]:
    seen: Counter[int] = Counter()
    return [_laid(one, seen) for one in read_list(value, "melds")]


def _laid(value: object, seen: Counter[int]) -> Laid:
    if not isinstance(value, dict) or value.keys() != {"cards", "as"}:
        raise BadQuestion("A meld has cards and as.")
    cards = _cards([read_face(text) for text in read_list(value["cards"], "cards")], seen)
    faces = tuple(read_face(text) for text in read_list(value["as"], "as"))
    if len(faces) != len(cards) or PRINTED_JOKER in faces:
        raise BadQuestion("as has a card for each card, and none of them is a joker.")
    if not cards:
        raise BadQuestion("A meld has cards.")
    return Laid(cards, faces)


def _cards(faces: Sequence[int], seen: Counter[int]) -> tuple[Card, ...]:
    """Return the cards; equal ones come from different packs."""
    cards = []
    for face in faces:
        if seen[face] >= (MOST_JOKERS if face == PRINTED_JOKER else MAX_PACKS):
            raise BadQuestion(f"{FACE_TEXT[face]} is there too often.")
        cards.append(Card.of(face, seen[face]))
        seen[face] += 1
    return tuple(cards)
