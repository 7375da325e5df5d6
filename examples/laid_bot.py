#!/usr/bin/env python3
"""A player's own program for basic rummy or Contract Rummy, based on bot.py. It lays melds as soon as it can.

python examples/laid_bot.py http://localhost:8000 TOKEN basic   (or contract)
"""

import sys
from collections.abc import Iterator
from typing import Any

from bot import RANKS, run

Cards = list[str]
Move = dict[str, Any]
SHORTEST = {"basic": 3, "contract": 4}  # runs


def worth(card: str) -> int:
    return 0 if card.startswith("PJ") else min(RANKS.index(card[0]) + 1, 10)


def melds_of(hand: Cards, kind: str, shortest: int) -> Iterator[Cards]:
    """Yield sets of three cards, or runs of the shortest allowed length, without jokers; aces are low."""
    by_face = {card[:2]: card for card in hand}
    if kind == "set":
        same = [[card for card in hand if card[0] == rank] for rank in RANKS]
        yield from (cards[:3] for cards in same if len(cards) > 2)  # noqa: PLR2004 - a set
        return
    for suit in "SHDC":
        for start in range(len(RANKS) - shortest + 1):
            faces = [rank + suit for rank in RANKS[start : start + shortest]]
            if by_face.keys() >= {*faces}:
                yield [by_face[face] for face in faces]


def find_melds(hand: Cards, kinds: Cards, shortest: int) -> list[Cards] | None:
    """Return a meld of each kind from this hand, or None."""
    if not kinds:
        return []
    for meld in melds_of(hand, kinds[0], shortest):
        rest = [card for card in hand if card not in meld]
        if (others := find_melds(rest, kinds[1:], shortest)) is not None:
            return [meld, *others]
    return None


def fits(card: str, meld: Move) -> bool:
    """Return whether the card fits onto the meld. `as` lists the faces that its cards stand for, a run in order."""
    faces: Cards = meld["as"]
    if meld["kind"] == "set":
        return card[0] == faces[0][0]
    last = RANKS.index(faces[-1][0]) or len(RANKS)  # nothing follows an ace
    ends = RANKS.index(faces[0][0]) - 1, last + 1
    return card[1] == faces[0][1] and RANKS.find(card[0]) in ends


def lay_cards(cards: Cards) -> Move:
    return {"cards": cards, "as": [card[:2] for card in cards]}


def lay(game: Move, hand: Cards, legal: dict[str, Move]) -> Move | None:
    """Return a move that lays cards now: new melds first, then single cards."""
    if "contract" in legal and (melds := find_melds(hand, game["contract"], SHORTEST["contract"])):
        return {"kind": "contract", "melds": [lay_cards(meld) for meld in melds]}
    for kind in ("set", "run") if "meld" in legal else ():
        for meld in melds_of(hand, kind, SHORTEST["basic"]):
            return {"kind": "meld", "groups": [meld]}
    for number in legal.get("lay_off", {"meld": []})["meld"]:
        for card in hand:
            if not card.startswith("PJ") and fits(card, game["melds"][number]):
                laid = (
                    {"cards": [card]} if "target" in game["match"] else {"laid": lay_cards([card])}
                )
                return {"kind": "lay_off", "meld": number, **laid}
    return None


def choose(state: dict[str, Any]) -> Move | None:
    """Return the move to make now, or None when it is not our turn."""
    game, you = state["game"], state["you"]
    legal = {entry["kind"]: entry for entry in you.get("legal") or []}
    if "pass" in legal:
        return {"kind": "pass"}
    if "draw" in legal:  # an open card would have to be kept for the turn
        return {"kind": "draw", "source": legal["draw"]["source"][0]}
    if "discard" not in legal:
        return None
    move = lay(game, you["hand"], legal)
    return move or {"kind": "discard", "card": max(legal["discard"]["card"], key=worth)}


if __name__ == "__main__":
    run(sys.argv[3] if sys.argv[3:] else "basic", choose)
