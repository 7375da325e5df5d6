"""Moves by chance, as a player might make them who knows nothing but what is legal."""

from random import Random
from typing import Any

from games.registry import get_game

INDIAN: Any = get_game("indian")


def move_of(chance: Random, state: Any, seat: int) -> dict[str, Any]:
    """Any legal one but arranging and leaving; whoever lays cards lays them as they come."""
    entries = INDIAN.core.describe_legal(state, seat)
    kinds = [entry for entry in entries if entry["kind"] not in ("arrange", "leave")]
    entry = chance.choice(kinds)
    if entry["kind"] in ("declare", "show"):
        hand = INDIAN.view.private(state, seat)["hand"]
        finish = INDIAN.view.public(state)["finish"]
        cards = [card for card in hand if entry["kind"] == "show" or card != finish["card"]]
        return {"kind": entry["kind"], "groups": [cards]}
    fields = {name: values for name, values in entry.items() if name not in ("kind", "points")}
    return {"kind": entry["kind"], **{name: chance.choice(fields[name]) for name in fields}}
