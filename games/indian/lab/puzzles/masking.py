"""The disguise of a deal: other suits and packs, no names and no numbers."""

import random
from collections.abc import Mapping
from typing import Any, Final

from games.cards import CARD_TEXT, FACE_TEXT, FACES, PRINTED_JOKER, SUITS, full_deck
from games.indian.rules.ruleset import parse_rules

_KEPT: Final = ("rules", "order", "wild", "open", "hands", "steps")
_KEPT_OF_STEP: Final = ("seat", "move", "events", "drew")


def masked(record: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return the same deal with its suits and packs exchanged, and without players and dates.

    No rule tells the suits apart, so the value of every decision stays the same.
    """
    packs = parse_rules(record["rules"]).packs_at(len(record["order"]))
    suits = dict(zip(SUITS, rng.sample(SUITS, len(SUITS)), strict=True))
    others = rng.sample(range(packs), packs)
    names = {
        CARD_TEXT[card]: f"{_face(card.face, suits)}.{others[card.pack]}"
        for card in full_deck(packs)
    }
    kept = {name: record[name] for name in _KEPT}
    kept["steps"] = [
        {name: step[name] for name in _KEPT_OF_STEP if name in step} for step in record["steps"]
    ]
    renamed: dict[str, Any] = _renamed(kept, names)
    return renamed


def _face(face: int, suits: Mapping[str, str]) -> str:
    name = FACE_TEXT[face % FACES]
    return name if face == PRINTED_JOKER else name[0] + suits[name[1]]


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Rename the cards of a record. No other text looks like a card."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, Mapping):
        return {key: _renamed(of, names) for key, of in value.items()}
    if isinstance(value, (list, tuple)):
        return [_renamed(of, names) for of in value]
    return value
