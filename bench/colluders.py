"""Bots that play together with a partner, and traces of their matches as if they were played at tables."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bench.play import make_random, record_deal
from games.analysis.fairplay import CHEAP
from games.cards import CARD_TEXT
from games.engine.base import IllegalMove, Strength
from games.engine.core import Outcome
from games.engine.game import Game
from games.gin.bots.sight import GinSight
from games.gin.game import GAME as GIN
from games.gin.rules.melding import count_least, mask_of
from games.indian.bots.playouts import Hands
from games.indian.bots.sight import IndianSight
from games.indian.game import GAME as INDIAN
from games.indian.lab.fairplay.tracing import usefulness
from history.fairplay.pairs import Trace

# Chooses a move from the match's state, which colluders know, and the seat's own view.
Chooser = Callable[[Any, Mapping[str, Any], int], Mapping[str, Any]]
_RULES: Final = "points"


@dataclass(frozen=True, slots=True)
class Player:
    """A bot of the experiment. `partner` is the player whom a colluder helps, or 0.

    A colluder feeds in the share `feeds` of its discards, and dumps in the share `dumps` of its matches.
    """

    user: int
    strength: Strength
    partner: int = 0
    feeds: float = 0.0
    dumps: float = 0.0


def choose(
    player: Player, partner_seat: int | None, rng: random.Random, *, dumping: bool
) -> Chooser:
    """Return a bot that plays honestly, except that it colludes if its partner sits here and can be helped."""

    def choose_move(state: Any, view: Mapping[str, Any], seat: int) -> Mapping[str, Any]:
        honest = INDIAN.bots(view, seat, strength=player.strength, rng=rng)
        partner = None if partner_seat is None else state.deal.player(partner_seat)
        if partner is None or not partner.is_playing:
            return honest
        if view["public"]["step"] == "draw":
            # A player who wants to lose chips does not drop cheaply.
            is_dumping_drop = dumping and honest["kind"] == "drop"
            return {"kind": "draw", "source": "closed"} if is_dumping_drop else honest
        if honest["kind"] not in ("discard", "finish"):
            return honest
        sight = IndianSight.of(view, seat)
        hands = Hands(sight.wild, sight.rules)
        if dumping and _is_ahead(hands, partner.hand, sight.hand):
            return _choose_spoiling(hands, sight)
        is_next = _find_next_seat(view["public"], seat) == partner_seat
        if honest["kind"] == "discard" and is_next and rng.random() < player.feeds:
            return _choose_feeding(hands, sight, partner.hand) or honest
        return honest

    return choose_move


def _is_ahead(hands: Hands, partner: Sequence[int], own: Sequence[int]) -> bool:
    return hands.count_least(partner) <= hands.find_best_of_fourteen(own)[0] or len(own) == 0


def _choose_spoiling(hands: Hands, sight: IndianSight) -> Mapping[str, Any]:
    """Return the discard that leaves the hand with the most points. It keeps jokers: discarding one would stand out."""
    loose = [card for card in sight.discardable if not sight.is_joker(card)]

    def count_left(card: int) -> int:
        return hands.count_least([other for other in sight.hand if other != card])

    return {"kind": "discard", "card": CARD_TEXT[max(loose or sight.discardable, key=count_left)]}


def _choose_feeding(
    hands: Hands, sight: IndianSight, partner: Sequence[int]
) -> Mapping[str, Any] | None:
    """Return the discard that is most useful to the partner, of those that cost at most CHEAP points.

    Return None if none is useful.
    """
    counts = {
        card: hands.count_least([other for other in sight.hand if other != card])
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


def _find_next_seat(public: Mapping[str, Any], seat: int) -> int | None:
    order = public["order"]
    place = order.index(seat)
    later = [*order[place + 1 :], *order[:place]]
    playing = (other for other in later if public["players"][str(other)]["status"] == "playing")
    return next(playing, None)


def _choose_in_gin(player: Player, rng: random.Random, *, dumping: bool) -> Chooser:
    """Return an honest bot or, when dumping, one that keeps the hand with the most points and never knocks."""

    def choose_move(_state: Any, view: Mapping[str, Any], seat: int) -> Mapping[str, Any]:
        honest = GIN.bots(view, seat, strength=player.strength, rng=rng)
        if not dumping or honest["kind"] not in ("discard", "knock"):
            return honest
        sight = GinSight.of(view, seat)
        loose = [card for card in sight.hand if card != sight.kept_card]

        def left(card: int) -> int:
            return count_least(mask_of(kept for kept in sight.hand if kept != card))

        return {"kind": "discard", "card": CARD_TEXT[max(loose, key=left)]}

    return choose_move


# Cards that a feeder considers for the partner.
_TRIED: Final = 6
# Presets of the experiment where they are not `points`.
_OTHER_RULES: Final = {"contract": "single"}


def _choose_in(
    game: Game, player: Player, partner_seat: int | None, rng: random.Random, *, dumping: bool
) -> Chooser:
    """Return a bot of any game that plays honestly or colludes.

    When dumping, it lays nothing and discards any card. When feeding, it discards cards that the partner
    would take.
    """

    def choose_move(state: Any, view: Mapping[str, Any], seat: int) -> Mapping[str, Any]:
        honest = game.bots(view, seat, strength=player.strength, rng=rng)
        if partner_seat is None or honest["kind"] in ("draw", "take", "buy", "pass"):
            return honest
        if dumping:
            instead = [{"kind": "draw"}, {"kind": "pass"}, *_discards(view, rng)]
            legal = (move for move in instead if _outcome_of(game, state, seat, move) is not None)
            return next(legal, honest)
        if honest["kind"] == "discard" and rng.random() < player.feeds:
            for move in _discards(view, rng)[:_TRIED]:
                if _is_taken(game, state, seat, move, partner_seat, rng):
                    return move
        return honest

    return choose_move


def _discards(view: Mapping[str, Any], rng: random.Random) -> list[dict[str, Any]]:
    hand = list(view["you"].get("hand", ()))
    rng.shuffle(hand)
    return [{"kind": "discard", "card": card} for card in hand]


def _outcome_of(game: Game, state: Any, seat: int, move: Mapping[str, Any]) -> Outcome | None:
    """Return the outcome of a move, or None if it is illegal."""
    try:
        return game.core.play(state, seat, game.wire.read(move), now=0, seed=b"")
    except IllegalMove:
        return None


def _is_taken(
    game: Game,
    state: Any,
    seat: int,
    move: Mapping[str, Any],
    partner: int,
    rng: random.Random,
) -> bool:
    """Return whether the partner moves next and would take this discard."""
    outcome = _outcome_of(game, state, seat, move)
    if outcome is None or outcome.status.acting != (partner,):
        return False
    after = outcome.state
    view = {
        "public": game.view.public(after),
        "you": game.view.private(after, partner),
        "rules": game.rules.json(state.rules),
    }
    answer = game.bots(view, partner, strength="hard", rng=rng)
    return answer["kind"] == "take" or answer.get("source") == "open"


def play_deal(players: Sequence[Player], name: str, game: Game = INDIAN) -> dict[str, Any]:
    """Return the record of one deal for points. Players sit in the given order."""
    seat_of = {player.user: seat for seat, player in enumerate(players)}
    choosers: list[Chooser] = []
    for seat, player in enumerate(players):
        rng = make_random(f"{name}/{seat}")
        dumping = rng.random() < player.dumps
        partner = seat_of.get(player.partner)
        if game is INDIAN:
            choosers.append(choose(player, partner, rng, dumping=dumping))
        elif game is GIN:
            choosers.append(_choose_in_gin(player, rng, dumping=dumping and partner is not None))
        else:
            choosers.append(_choose_in(game, player, partner, rng, dumping=dumping))
    return record_deal(
        game,
        game.rules.preset(_OTHER_RULES.get(game.code, _RULES)),
        name,
        len(players),
        lambda state, view, seat: choosers[seat](state, view, seat),
    )


def traces_of(
    number: int, players: Sequence[Player], record: Mapping[str, Any], game: Game = INDIAN
) -> list[Trace]:
    assert game.fair_play is not None  # noqa: S101 - all games have one
    return [
        Trace(number, players[giver].user, players[taker].user, sums)
        for (giver, taker), sums in game.fair_play.compute_sums([record]).items()
    ]
