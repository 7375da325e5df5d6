"""The truths that must hold after any fault, asked of the database. Of clients only acknowledged moves count."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection, transaction

from bench.chaos.players import Player
from games.registry import get_game
from tables.history.archiving import changes_of
from tables.models import Change, ChangeKind, Deal, Match, Table, TableFault, TableStatus
from tables.play.seeds import deal_seed
from wallet.ledger.checks import reconcile


def check(players: Sequence[Player]) -> list[str]:
    """Sentences about what is wrong; none if nothing is."""
    try:
        return [*_moves(players), *_replays(players), *_money(), *_faults(), *_secrets(players)]
    finally:
        connection.close()


def _moves(players: Iterable[Player]) -> list[str]:
    wrong = []
    for player in players:
        stored: dict[str, list[int | None]] = {}
        acked = list(player.acked)  # the player plays on meanwhile
        ids = [move_id for move_id, _ in acked]
        rows = Change.objects.filter(table_id=player.table_id, move_id__in=ids)
        for stored_id, version in rows.values_list("move_id", "version"):
            stored.setdefault(str(stored_id), []).append(version)
        for move_id, answered in acked:
            found = stored.get(move_id)
            if found is None:
                wrong.append(f"lost: move {move_id}, acknowledged as version {answered}")
            elif found != [answered]:
                wrong.append(f"doubled: move {move_id} of version {answered} is stored as {found}")
        versions = [answered for _, answered in acked]
        if versions != sorted(versions):
            wrong.append(f"table {player.table_id}: moves acknowledged out of order")
    return wrong


def _replays(players: Iterable[Player]) -> list[str]:
    wrong = []
    for table_id in sorted({player.table_id for player in players}):
        with transaction.atomic():
            table = Table.objects.select_for_update(no_key=True).get(pk=table_id)
            if table.state is None or table.status != TableStatus.PLAYING:
                continue
            match = Match.objects.select_related("table").get(pk=table.match_id or 0)
            if replayed(match) != bytes(table.state):
                wrong.append(f"table {table_id}: match {match.pk} replays to another state")
    return wrong


def replayed(match: Match) -> bytes:
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
    for change in changes_of(match):
        # The seed of the deal that this change may begin; after the last there is none.
        seed = (*seeds, bytes(32))[game.core.status(state).deals]
        state = _again(game, state, change, seed)
    return game.stored.dump(state)


def _again(game: Any, state: Any, change: Change, seed: bytes) -> Any:
    if change.kind in {ChangeKind.MOVE, ChangeKind.STAND_IN}:
        move = game.wire.read(change.move)
        return game.core.play(state, change.seat, move, now=change.at_ms, seed=seed).state
    if change.kind == ChangeKind.EXPIRY:
        return game.core.expire(state, now=change.at_ms, seed=seed).state
    if change.kind == ChangeKind.POSTPONED:
        assert change.move is not None  # noqa: S101 - says by how much
        return game.core.postpone(state, by_ms=change.move["by_ms"])
    return state


def _money() -> list[str]:
    return [f"ledger: {one.check}: {one.subject}" for one in reconcile().findings]


def _faults() -> list[str]:
    faults = TableFault.objects.filter(resolved_at=None)
    return [f"table {one.table_id} is out of order: {one.error}" for one in faults]


def _secrets(players: Iterable[Player]) -> list[str]:
    return [f"secret: {secret}" for player in players for secret in player.secrets]
