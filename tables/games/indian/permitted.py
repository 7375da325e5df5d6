"""What a seat may do now, as its browser is told: the browser decides nothing itself."""

from typing import Final

from tables.games.base import JSON
from tables.games.cards import CARD_TEXT
from tables.games.indian import intermission, play
from tables.games.indian.deal import Deal, Phase, Player
from tables.games.indian.match import Match, Membership, Stage
from tables.games.indian.moves import Draw, Drop
from tables.games.indian.rulesets import RuleSet

Entry = dict[str, JSON]

_LEAVE: Final[Entry] = {"kind": "leave"}
_ARRANGE: Final[Entry] = {"kind": "arrange", "rev": None, "groups": None}


def legal_view(match: Match, seat: int) -> list[Entry]:
    """`Game.legal` by kinds of moves. `points` of a drop is what it costs (R5.2)."""
    standing = match.standing(seat)
    gone = standing is None or standing.membership is Membership.LEFT
    if gone or match.stage is Stage.OVER:
        return []
    if match.stage is not Stage.DEAL:
        return [*_between(match, seat), _LEAVE]
    player = match.deal.player(seat)
    if player is None or not player.is_playing:
        return [_LEAVE]
    return [*_in_deal(match.deal, match.deal_rules, player), _LEAVE]


def _between(match: Match, seat: int) -> list[Entry]:
    entries: dict[str, Entry] = {}
    for move in intermission.legal_between(match, seat):
        entry = entries.setdefault(move.kind, {"kind": move.kind})
        if hasattr(move, "accept"):
            entry["accept"] = [True, False]
    return list(entries.values())


def _in_deal(deal: Deal, rules: RuleSet, player: Player) -> list[Entry]:
    if deal.phase is Phase.TURN and deal.at_turn.seat == player.seat:
        if deal.drawn is None:
            return [*_before_drawing(deal, rules, player), _ARRANGE]
        return [*_after_drawing(deal, rules, player), _ARRANGE]
    if deal.phase is Phase.DECLARE and deal.at_turn.seat == player.seat:
        return [{"kind": "declare", "groups": None}, _ARRANGE]
    if deal.phase is Phase.SHOW:
        return [{"kind": "show", "groups": None}, _ARRANGE]
    return [_ARRANGE]


def _before_drawing(deal: Deal, rules: RuleSet, player: Player) -> list[Entry]:
    def is_legal(move: Draw | Drop) -> bool:
        return play.refusal_of(deal, rules, player.seat, move) is None

    sources = [draw.source for draw in (Draw("closed"), Draw("open")) if is_legal(draw)]
    entries: list[Entry] = [{"kind": "draw", "source": sources}] if sources else []
    if is_legal(Drop()):
        points = rules.drop_points(has_drawn=player.has_drawn)
        entries.append({"kind": "drop", "points": points})
    return entries


def _after_drawing(deal: Deal, rules: RuleSet, player: Player) -> list[Entry]:
    cards = [card for group in player.groups for card in group]
    kept = deal.drawn if deal.drawn_from_open and not rules.may_return_open_card else None
    return [
        {"kind": "discard", "card": [CARD_TEXT[card] for card in cards if card != kept]},
        {"kind": "finish", "card": [CARD_TEXT[card] for card in cards]},
    ]
