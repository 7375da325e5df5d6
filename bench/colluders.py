"""Bots that play together with a partner, and matches of them read as a table's would be."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bench.play import record_deal, seeded
from games.cards import CARD_TEXT
from games.engine.base import Strength
from games.engine.game import FairPlay
from games.gin.bots.sight import Sight as GinSight
from games.gin.game import GAME as GIN
from games.gin.rules.melding import least, mask_of
from games.indian.bots.playouts import Hands
from games.indian.bots.sight import Sight
from games.indian.game import GAME as INDIAN
from games.indian.lab.fairplay.tracing import CHEAP, FAIR_PLAY, usefulness
from tables.history.fairplay.pairs import Trace

# Chooses a move from the state of the match, which colluders know, and the seat's own view.
Chooser = Callable[[Any, Mapping[str, Any], int], Mapping[str, Any]]
_RULES: Final = "points"


@dataclass(frozen=True, slots=True)
class Player:
    """`partner`: whom a colluder plays for, 0 for nobody. It feeds and dumps at a rate of the
    chances: of the discards, of the matches."""

    user: int
    strength: Strength
    partner: int = 0
    feeds: float = 0.0
    dumps: float = 0.0


def choose(
    player: Player, partner_seat: int | None, rng: random.Random, *, dumping: bool
) -> Chooser:
    """An honest bot, unless the partner sits here and there is something to be done for them."""

    def chosen(state: Any, view: Mapping[str, Any], seat: int) -> Mapping[str, Any]:
        honest = INDIAN.bots(view, seat, strength=player.strength, rng=rng)
        partner = None if partner_seat is None else state.deal.player(partner_seat)
        if partner is None or not partner.is_playing:
            return honest
        if view["public"]["step"] == "draw":
            # Who wants to lose chips does not drop cheaply.
            is_dumping_drop = dumping and honest["kind"] == "drop"
            return {"kind": "draw", "source": "closed"} if is_dumping_drop else honest
        if honest["kind"] not in ("discard", "finish"):
            return honest
        sight = Sight.of(view, seat)
        hands = Hands(sight.wild, sight.rules)
        if dumping and _is_ahead(hands, partner.hand, sight.hand):
            return _spoiling(hands, sight)
        is_next = _next_seat(view["public"], seat) == partner_seat
        if honest["kind"] == "discard" and is_next and rng.random() < player.feeds:
            return _feeding(hands, sight, partner.hand) or honest
        return honest

    return chosen


def _is_ahead(hands: Hands, partner: Sequence[int], own: Sequence[int]) -> bool:
    return hands.least(partner) <= hands.best_of_fourteen(own)[0] or len(own) == 0


def _spoiling(hands: Hands, sight: Sight) -> Mapping[str, Any]:
    """The discard that leaves the dearest hand; no joker, that would be seen at once."""
    loose = [card for card in sight.discardable if not sight.is_joker(card)]

    def left(card: int) -> int:
        return hands.least([other for other in sight.hand if other != card])

    return {"kind": "discard", "card": CARD_TEXT[max(loose or sight.discardable, key=left)]}


def _feeding(hands: Hands, sight: Sight, partner: Sequence[int]) -> Mapping[str, Any] | None:
    """The most useful card of those that cost five points of the own count at most."""
    counts = {
        card: hands.least([other for other in sight.hand if other != card])
        for card in sight.discardable
        if not sight.is_joker(card)
    }
    if not counts:
        return None
    cheap = [card for card, count in counts.items() if count <= min(counts.values()) + CHEAP]
    best = max(cheap, key=lambda card: usefulness(hands, partner, card))
    if usefulness(hands, partner, best) == 0:
        return None
    return {"kind": "discard", "card": CARD_TEXT[best]}


def _next_seat(public: Mapping[str, Any], seat: int) -> int | None:
    order = public["order"]
    place = order.index(seat)
    later = [*order[place + 1 :], *order[:place]]
    playing = (other for other in later if public["players"][str(other)]["status"] == "playing")
    return next(playing, None)


def _choose_in_gin(player: Player, rng: random.Random, *, dumping: bool) -> Chooser:
    """An honest bot, or one that throws what leaves the dearest hand and never knocks."""

    def chosen(_state: Any, view: Mapping[str, Any], seat: int) -> Mapping[str, Any]:
        honest = GIN.bots(view, seat, strength=player.strength, rng=rng)
        if not dumping or honest["kind"] not in ("discard", "knock"):
            return honest
        sight = GinSight.of(view, seat)
        loose = [card for card in sight.hand if card != sight.kept_card]

        def left(card: int) -> int:
            return least(mask_of(kept for kept in sight.hand if kept != card))

        return {"kind": "discard", "card": CARD_TEXT[max(loose, key=left)]}

    return chosen


def played_gin(players: Sequence[Player], name: str) -> dict[str, Any]:
    """The record of one deal of gin for points; a colluder dumps only where the partner sits."""
    users = {player.user for player in players}
    choosers = []
    for seat, player in enumerate(players):
        rng = seeded(f"{name}/{seat}")
        dumping = rng.random() < player.dumps and player.partner in users
        choosers.append(_choose_in_gin(player, rng, dumping=dumping))
    return record_deal(
        GIN,
        GIN.rules.preset(_RULES),
        name,
        len(players),
        lambda state, view, seat: choosers[seat](state, view, seat),
    )


def played(players: Sequence[Player], name: str) -> dict[str, Any]:
    """The record of a match of points rummy, one deal; seats are in the order of the players."""
    seat_of = {player.user: seat for seat, player in enumerate(players)}
    choosers = []
    for seat, player in enumerate(players):
        rng = seeded(f"{name}/{seat}")
        dumping = rng.random() < player.dumps
        choosers.append(choose(player, seat_of.get(player.partner), rng, dumping=dumping))
    return record_deal(
        INDIAN,
        INDIAN.rules.preset(_RULES),
        name,
        len(players),
        lambda state, view, seat: choosers[seat](state, view, seat),
    )


def traces_of(
    number: int,
    players: Sequence[Player],
    record: Mapping[str, Any],
    fair_play: FairPlay = FAIR_PLAY,
) -> list[Trace]:
    return [
        Trace(number, players[giver].user, players[taker].user, sums)
        for (giver, taker), sums in fair_play.sums([record]).items()
    ]
