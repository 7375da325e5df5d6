"""A player who knows only the state built from frames. A bot of the engine chooses moves with free fields."""

import random
from typing import Any

from games.registry import GAMES

# These moves end the match or the deal for their player, so they are chosen rarely.
ENDS = {"leave", "drop"}


def fill(entry: dict[str, Any], rng: random.Random) -> dict[str, Any] | None:
    """Return a random move from an entry of `you.legal`, or None if the player has to fill in a field."""
    fields = {name: values for name, values in entry.items() if name not in {"kind", "points"}}
    if any(values is None for values in fields.values()):
        return None
    return {"kind": entry["kind"], **{name: rng.choice(values) for name, values in fields.items()}}


def choose(
    state: dict[str, Any], rng: random.Random, *, of_bot: float = 0.6, ends: float = 0.01
) -> dict[str, Any] | None:
    """Return an offered move or None: at random one without free fields, or one that a bot chooses."""
    you = state["you"]
    legal = {entry["kind"]: entry for entry in you.get("legal", [])}
    legal.pop("arrange", None)  # sent as a draft
    for kind in ENDS:
        if rng.random() > ends:
            legal.pop(kind, None)
    if not legal:
        return None
    offered = [move for entry in legal.values() if (move := fill(entry, rng)) is not None]
    if offered and rng.random() > of_bot:
        return rng.choice(offered)
    if state["game"]["turn"] == you["seat"] or len(offered) < len(legal):
        view = {"public": state["game"], "you": you, "rules": state["rules"]}
        move = GAMES[state["table"]["game"]].bots(view, you["seat"], strength="medium", rng=rng)
        if move["kind"] in legal:
            return move
    return rng.choice(offered) if offered else None
