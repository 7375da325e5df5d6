"""Random legal moves for tests that play by chance."""

from random import Random
from typing import Any

from games.registry import get_game
from tables.live.clock import act_on_table
from tests.tables.driving import act, run_out_of_time, state_of

INDIAN: Any = get_game("indian")


def take_step(table, chance, *, is_silent=lambda seat: False):
    """Let a player move, or let the turn time out. The clock then acts twice, as two processes might."""
    state = INDIAN.stored.load(state_of(table))
    acting = INDIAN.core.status(state).acting
    seat = chance.choice(acting) if acting else None
    if seat is None or is_silent(seat) or chance.random() < 0.3:
        run_out_of_time(table)
        act_on_table(table.pk)
        act_on_table(table.pk)
    else:
        assert act(table, seat, **choose_move(chance, state, seat)).refusal is None


def choose_move(chance: Random, state: Any, seat: int) -> dict[str, Any]:
    """Choose a random legal move except `arrange` and `leave`. A declaration puts all cards in one group."""
    entries = INDIAN.core.describe_legal(state, seat)
    entry = chance.choice([one for one in entries if one["kind"] not in ("arrange", "leave")])
    if entry["kind"] in ("declare", "show"):
        hand = INDIAN.view.private(state, seat)["hand"]
        finish = INDIAN.view.public(state)["finish"]
        cards = [card for card in hand if entry["kind"] == "show" or card != finish["card"]]
        return {"kind": entry["kind"], "groups": [cards]}
    fields = {name: values for name, values in entry.items() if name not in ("kind", "points")}
    return {"kind": entry["kind"], **{name: chance.choice(fields[name]) for name in fields}}
