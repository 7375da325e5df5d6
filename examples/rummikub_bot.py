#!/usr/bin/env python3
"""A player's own program for Rummikub, based on bot.py. It lays melds from its rack, or else draws.

python examples/rummikub_bot.py http://localhost:8000 TOKEN   (made in the profile, with all rights)
"""

from typing import Any

from bot import RANKS, run

SHORTEST_MELD = 3


def value(tile: str) -> int:
    return RANKS.index(tile[0]) + 1


def melds_of(rack: list[str]) -> list[list[str]]:
    """Return the melds in the rack, groups first, then runs. They use no joker, and each tile once."""
    tiles = {tile.partition(".")[0]: tile for tile in rack if not tile.startswith("PJ")}
    melds = []
    for rank in RANKS:
        group = [tiles[rank + suit] for suit in "SHDC" if rank + suit in tiles]
        if len(group) >= SHORTEST_MELD:
            melds.append(group)
            tiles = {face: tile for face, tile in tiles.items() if tile not in group}
    for suit in "SHDC":
        run_of: list[str] = []
        for rank in [*RANKS, ""]:
            if rank + suit in tiles:
                run_of.append(tiles[rank + suit])
            else:
                melds += [run_of] if len(run_of) >= SHORTEST_MELD else []
                run_of = []
    return melds


def choose(state: dict[str, Any]) -> dict[str, Any] | None:
    """Return the move to make now, or None when it is not our turn."""
    game, you = state["game"], state["you"]
    legal = {entry["kind"] for entry in you.get("legal") or []}
    if "lay" not in legal:
        return None
    melds = melds_of(you["hand"])
    points = sum(value(tile) for meld in melds for tile in meld)
    has_opened = game["players"][str(you["seat"])]["opened"]
    if melds and (has_opened or points >= game["initial_meld"]):
        lying = [{"cards": meld["cards"], "as": meld["as"]} for meld in game["table"]]
        new = [{"cards": meld, "as": [tile.partition(".")[0] for tile in meld]} for meld in melds]
        return {"kind": "lay", "table": lying + new}
    return {"kind": "draw" if "draw" in legal else "pass"}


if __name__ == "__main__":
    run("rummikub", choose)
