"""The task of a puzzle: the position as its seat saw it, faces only."""

from collections.abc import Iterable
from typing import Final

from games.cards import FACE_TEXT, FACES, RANKS
from games.engine.base import JSON
from games.indian.lab.analysis.reading import Situation

ARRANGE: Final = "arrange"
DISCARD: Final = "discard"
DROP: Final = "drop"


def position_task(situation: Situation, rules: JSON) -> dict[str, JSON]:
    """Return `players`, `turn` (own, from 1), `wild`, `hand`, `open` (the card on the open pile or
    null), and `others`: the discards and taken cards of each other player, in the order of play."""
    position = situation.position
    places = len(position.hands)
    following = [(position.turn + later) % places for later in range(1, places)]
    return {
        **hand_task(situation, rules),
        "players": places,
        "turn": position.turns[position.turn],
        "open": faces(position.open_pile[-1:])[0] if position.open_pile else None,
        "threw": faces(situation.thrown[position.turn]),
        "others": [
            {"threw": faces(situation.thrown[place]), "took": faces(situation.taken[place])}
            for place in following
        ],
    }


def hand_task(situation: Situation, rules: JSON) -> dict[str, JSON]:
    """Return the hand by suit and rank, printed jokers last. `wild_rank` is the letter of a face."""
    hand = situation.position.hands[situation.position.turn]
    return {
        "rules": rules,
        "wild": face(situation.wild_card),
        "wild_rank": None if situation.wild is None else RANKS[situation.wild - 1],
        "hand": faces(sorted(hand, key=lambda card: card % FACES)),
    }


def face(card: int) -> str:
    """Write the face of a card: "7H", "PJ"."""
    return FACE_TEXT[card % FACES]


def faces(cards: Iterable[int]) -> list[JSON]:
    return [face(card) for card in cards]
