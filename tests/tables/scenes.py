"""Matches at tables with the cards of a prepared scene (tests/games/*/scenes.py)."""

from collections.abc import Callable, Iterable
from typing import Any

from games.registry import get_game
from tables.models import Table
from tests.games.values import replace
from tests.given import reload
from tests.tables.driving import state_of

HELD = ("groups", "laid_in", "rack", "has_opened")
LYING = ("closed", "wild", "open_pile", "upcard", "melds", "table", "pool")


def lay_scene(
    table: Table, scene: Callable[..., Any], /, *hands: str, **scenery: Any
) -> tuple[int, ...]:
    """Replace the cards before the first move by a scene's, hands in order of play. Return the seats in that order.

    A page that is already open must be reloaded.
    """
    game = get_game(table.game)
    match: Any = game.stored.load(state_of(reload(table)))
    drawn_up, deal = scene(*hands, rules=match.rules, **scenery).deal, match.deal
    order = tuple(player.seat for player in deal.players)
    players = tuple(
        replace(player, **_fields_of(like, HELD))
        for player, like in zip(deal.players, drawn_up.players, strict=True)
    )
    lying = _fields_of(drawn_up, LYING)
    if "melds" in lying:  # a scene has its seats from 0
        lying["melds"] = tuple(
            replace(meld, by=tuple(order[seat] for seat in meld.by)) for meld in lying["melds"]
        )
    deal = replace(deal, players=players, **lying)
    Table.objects.filter(pk=table.pk).update(state=game.stored.dump(replace(match, deal=deal)))
    table.refresh_from_db()
    return order


def _fields_of(value: object, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(value, name) for name in names if hasattr(value, name)}
