#!/usr/bin/env python3
"""A player's own program for gin rummy, based on bot.py. It reads from `you.legal` which moves are allowed.

python examples/gin_bot.py http://localhost:8000 TOKEN   (made in the profile, with all rights)
"""

from typing import Any

from bot import RANKS, run


def worth(card: str) -> int:
    return min(RANKS.index(card[0]) + 1, 10)


def fits(card: str, hand: list[str]) -> bool:
    """Return whether the card makes a meld with two cards of the hand."""
    same = sum(other[0] == card[0] for other in hand)
    near = {RANKS.index(other[0]) - RANKS.index(card[0]) for other in hand if other[1] == card[1]}
    return same > 1 or any({one, two} <= near for one, two in ((-2, -1), (-1, 1), (1, 2)))


def choose(state: dict[str, Any]) -> dict[str, Any] | None:
    """Return the move to make now, or None when it is not our turn."""
    game, you = state["game"], state["you"]
    legal = {entry["kind"]: entry for entry in you.get("legal") or []}
    if "defend" in legal:
        best = you["defence"]
        return {"kind": "defend", "groups": best["groups"], "lay_offs": best["lay_offs"]}
    if "draw" in legal:
        sources = legal["draw"]["source"]
        if "open" in sources and fits(game["open_pile"][-1], you["hand"]):
            return {"kind": "draw", "source": "open"}
        return {"kind": "draw", "source": "closed"} if "closed" in sources else {"kind": "pass"}
    return part_with_a_card(you, legal) if "discard" in legal else None


def part_with_a_card(you: dict[str, Any], legal: dict[str, Any]) -> dict[str, Any]:
    """Knock as soon as it is allowed; otherwise discard the card highest in points that is in no meld."""
    groups, cards = you["best_groups"], legal["discard"]["card"]
    melded = {card for group in groups for card in group}
    loose = [card for card in cards if card not in melded] or cards
    allowed = legal.get("knock", {"card": []})["card"]
    if None in allowed:
        return {"kind": "knock", "card": None, "groups": groups}
    down = [card for card in loose if card in allowed]
    if down:
        return {"kind": "knock", "card": max(down, key=worth), "groups": groups}
    return {"kind": "discard", "card": max(loose, key=worth)}


if __name__ == "__main__":
    run("gin", choose)
