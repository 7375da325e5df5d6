"""What a seat may do now, as its browser is told: `Game.legal` by kinds of moves."""

from typing import Final

from tables.games.base import JSON
from tables.games.cards import CARD_TEXT
from tables.games.gin import play
from tables.games.gin.deal import Deal, Phase, Player
from tables.games.gin.moves import Draw, Pass
from tables.games.gin.rulesets import GinRules

Entry = dict[str, JSON]

_LAST: Final[tuple[Entry, ...]] = (
    {"kind": "arrange", "rev": None, "groups": None},
    {"kind": "leave"},
)


def legal_view(deal: Deal, rules: GinRules, seat: int) -> list[Entry]:
    """Of a running deal. What the player fills in freely is null."""
    player = deal.player(seat)
    if player is None:
        return []
    if deal.waiting_for.seat != seat:
        return [*_LAST]
    if deal.phase is Phase.DEFEND:
        return [{"kind": "defend", "groups": None, "lay_offs": None}, *_LAST]
    if deal.drawn is None:
        return [*_before_drawing(deal, rules, player), *_LAST]
    return [*_after_drawing(deal, rules, player), *_LAST]


def _before_drawing(deal: Deal, rules: GinRules, player: Player) -> list[Entry]:
    def is_legal(move: Draw | Pass) -> bool:
        return play.refusal_of(deal, rules, player.seat, move) is None

    sources = [draw.source for draw in (Draw("closed"), Draw("open")) if is_legal(draw)]
    entries: list[Entry] = [{"kind": "draw", "source": sources}] if sources else []
    return [*entries, {"kind": "pass"}] if is_legal(Pass()) else entries


def _after_drawing(deal: Deal, rules: GinRules, player: Player) -> list[Entry]:
    kept = deal.kept_card(rules)
    cards: list[JSON] = [CARD_TEXT[card] for card in player.hand if card != kept]
    knocks: list[JSON] = [
        None if knock.card is None else CARD_TEXT[knock.card]
        for knock in play.knocks(deal, rules, player)
    ]
    discard: Entry = {"kind": "discard", "card": cards}
    if not knocks:
        return [discard]
    return [discard, {"kind": "knock", "card": knocks, "groups": None}]
