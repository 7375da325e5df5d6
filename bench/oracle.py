"""A player of Indian rummy that sees all hands and the closed deck, to measure how much skill could gain.

It plays as `hard` does, unless the quick policy of the analyses ends the real deal better after another draw,
discard or drop. So its gain is a lower bound for the value of seeing all cards.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from bench.play import Chooser, make_random
from games.cards import CARD_BY_TEXT, CARDS, FACES
from games.engine.base import JSON
from games.indian.bots.playouts import IndianPlayouts, IndianPosition, make_playouts
from games.indian.rules.moves import Discard, Draw, Drop, move_json

# What a move does, and to which face.
Option = tuple[str, int | None]


class Oracle:
    def __init__(self, hard: Chooser, name: object) -> None:
        self._hard = hard
        self._rng = make_random(name)

    def choose(self, state: Any, view: Mapping[str, Any], seat: int) -> Mapping[str, JSON]:
        usual = self._hard(view, seat)
        if usual["kind"] not in {"draw", "drop", "discard"}:
            return usual
        playouts = make_playouts(state.rules, state.deal.wild_rank, self._rng)
        position = _read_position(state.deal)
        nets: dict[Option, float]
        if position.drawn is None:
            nets = {(pile, None): _draw(position, pile, playouts) for pile in _piles(state.deal)}
            points = view["public"]["players"][str(seat)]["drop_points"]
            if points is not None:
                nets["drop", None] = -float(points)
        else:
            nets = dict(_list_discards(position, playouts))
        mine = _read_option(usual)
        best = max(nets, key=nets.__getitem__, default=mine)
        if mine not in nets or nets[best] <= nets[mine]:
            return usual
        return move_json(_make_move(best, position))


def _read_position(deal: Any) -> IndianPosition:
    players = deal.players
    return IndianPosition(
        hands=[list(player.hand) for player in players],
        closed=list(deal.closed),
        open_pile=list(deal.open_pile),
        playing=[player.is_playing for player in players],
        lost=[player.points or 0 for player in players],
        turns=[player.turns for player in players],
        turn=players.index(deal.at_turn),
        is_first_turn=deal.turn_number == 1,
        drawn=deal.drawn,
        from_open=deal.drawn_from_open,
    )


def _piles(deal: Any) -> tuple[str, ...]:
    return ("closed", "open") if deal.open_drawable else ("closed",)


def _draw(position: IndianPosition, pile: str, playouts: IndianPlayouts) -> float:
    """Return the net points of drawing from this pile, followed by the best discard."""
    drawn, place = position.copy(), position.turn
    (playouts.take_open if pile == "open" else playouts.take_closed)(drawn)
    _, finishes = playouts.policy.discard(drawn)
    if finishes:
        return playouts.score_win(drawn)[place]
    return max(net for _, net in _list_discards(drawn, playouts))


def _list_discards(
    position: IndianPosition, playouts: IndianPlayouts
) -> Iterator[tuple[Option, float]]:
    kept = position.drawn if position.from_open else None
    cards = {card % FACES: card for card in position.hands[position.turn] if card != kept}
    for face, card in cards.items():
        world = position.copy()
        nets = playouts.discard(world, card)
        yield ("discard", face), (nets or playouts.play_out(world))[position.turn]


def _read_option(move: Mapping[str, Any]) -> Option:
    if move["kind"] == "discard":
        return "discard", CARD_BY_TEXT[move["card"]] % FACES
    return move.get("source", "drop"), None


def _make_move(option: Option, position: IndianPosition) -> Discard | Draw | Drop:
    doing, face = option
    if face is None:
        return Drop() if doing == "drop" else Draw("open" if doing == "open" else "closed")
    kept = position.drawn if position.from_open else None
    hand = position.hands[position.turn]
    return Discard(next(CARDS[card] for card in hand if card % FACES == face and card != kept))
