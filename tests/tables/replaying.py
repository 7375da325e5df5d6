"""Replays of a stored match from its seeds and changes."""

from typing import Any

from games.registry import get_game
from history.archiving import read_changes
from tables.models import Change, ChangeKind, Deal, Match
from tables.play.seeds import deal_seed


def replay(match: Match) -> bytes:
    """Return the state that the stored seeds and changes of a match lead to."""
    game = get_game(match.table.game)
    rules = game.rules.parse(match.rules)
    seeds = [
        deal_seed(bytes(seed), added)
        for seed, added in Deal.objects.filter(match=match)
        .order_by("number")
        .values_list("seed", "client_seeds")
    ]
    state = game.core.start(
        rules=rules,
        seats=tuple(match.order),
        toss=match.tossed,
        seed=seeds[0],
        now=match.started_ms,
    ).state
    for change in read_changes(match):
        # The seed for the deal that this change may begin. There is none after the last deal.
        seed = (*seeds, bytes(32))[game.core.status(state).deals]
        state = _replay_change(game, state, change, seed)
    return game.stored.dump(state)


def _replay_change(game: Any, state: Any, change: Change, seed: bytes) -> Any:
    if change.kind in {ChangeKind.MOVE, ChangeKind.STAND_IN}:
        move = game.wire.read(change.move)
        return game.core.play(state, change.seat, move, now=change.at_ms, seed=seed).state
    if change.kind == ChangeKind.EXPIRY:
        return game.core.expire(state, now=change.at_ms, seed=seed).state
    if change.kind == ChangeKind.POSTPONED:
        assert change.move is not None
        return game.core.postpone(state, by_ms=change.move["by_ms"])
    return state
