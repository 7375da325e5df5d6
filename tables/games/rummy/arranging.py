"""Keeping the order of one's own hand."""

from dataclasses import replace
from typing import Any, Protocol

from tables.games.base import Instant
from tables.games.rummy.deal import DealT, Player, with_player
from tables.games.rummy.events import Events
from tables.games.rummy.forms import Groups
from tables.games.rummy.refusals import Refusal


class Arrangement(Protocol):
    @property
    def rev(self) -> int: ...
    @property
    def groups(self) -> Groups: ...


def check_arrange(_deal: Any, _rules: Any, player: Player, move: Arrangement) -> Refusal | None:
    # One that was overtaken on its way may show a hand of the past.
    if move.rev <= player.rev:
        return None
    cards = sorted(card for group in move.groups for card in group)
    return None if cards == sorted(player.hand) else Refusal.GROUPS_NOT_YOUR_HAND


def arrange(
    deal: DealT, _rules: Any, player: Player, move: Arrangement, _now: Instant
) -> tuple[DealT, Events]:
    """Save the order of the hand, unless the client has sent a newer one before."""
    if move.rev <= player.rev:
        return deal, ()
    return with_player(deal, replace(player, groups=move.groups, rev=move.rev)), ()
