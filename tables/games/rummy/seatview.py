"""What may be seen of a deal with melds on the table: by everybody, and by one seat alone (B16)."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from tables.games.base import JSON
from tables.games.cards import CARD_TEXT, Card, card_texts
from tables.games.rummy.deal import Deal, Phase, Status, player_at
from tables.games.rummy.forms import group_texts
from tables.games.rummy.match import Match, Stage, sheet_json

NOTHING_PRIVATE: Final[dict[str, JSON]] = {
    "hand": [],
    "groups": [],
    "rev": 0,
    "drawn": None,
    "from_open": False,
    "count": 0,
}
# Counts the points of cards that are held.
Count = Callable[[Iterable[Card]], int]


def public_view(match: Match, word_for_run: str, count: Count) -> dict[str, JSON]:
    """What both games show alike; `match` and each of `players` are completed by the game."""
    deal: Deal = match.deal
    is_between = match.stage is Stage.BETWEEN
    deadline = match.due_at if is_between else deal.deadline
    return {
        "deal": match.number,
        "phase": match.stage.value if is_between else deal.phase.value,
        "step": _step(deal),
        "order": list(deal.order),
        "dealer": deal.dealer,
        "turn": None if deal.phase is Phase.OVER else deal.players[deal.turn].seat,
        "turn_number": deal.turn_number,
        "toss": _toss(deal),
        "open_pile": card_texts(deal.open_pile),
        "discards": [[seat, CARD_TEXT[card]] for seat, card in deal.discards],
        "closed_count": len(deal.closed),
        "restocks": deal.restocks,
        "taken": {str(player.seat): card_texts(player.taken) for player in deal.players},
        "melds": [meld.json(word_for_run) for meld in deal.melds],
        "laid": deal.laid,
        "due_at": deadline if deadline is None or is_between else deal.due_at,
        "deadline": deadline,
        "result": _result(deal, count),
        "match": {
            "deals": match.rules.deals,
            "sheet": sheet_json(match.sheet),
            "left": list(match.left),
            "winners": list(match.winners),
        },
    }


def player_view(match: Match, player: Any) -> dict[str, JSON]:
    has_left = player.seat in match.left
    return {
        "status": Status.LEFT.value if has_left else player.status.value,
        "cards": sum(map(len, player.groups)),
        "has_laid": player.laid_in is not None,
        "missed": player.missed,
        "extra_ms": player.extra_ms,
        "points": player.points,
    }


def private_view(match: Match, seat: int, count: Count) -> dict[str, JSON]:
    deal: Deal = match.deal
    player = player_at(deal, seat)
    if player is None:
        return dict(NOTHING_PRIVATE)
    is_turn = deal.players[deal.turn].seat == seat
    drawn = deal.drawn if is_turn else None
    return {
        "hand": card_texts(player.hand),
        "groups": group_texts(player.groups),
        "rev": player.rev,
        "drawn": None if drawn is None else CARD_TEXT[drawn],
        "from_open": drawn is not None and deal.drawn_from_open,
        "count": count(player.hand),
    }


def _step(deal: Deal) -> JSON:
    if deal.phase is not Phase.TURN:
        return None
    return "draw" if deal.drawn is None else "discard"


def _toss(deal: Deal) -> JSON:
    if deal.toss is None:
        return None
    return [
        {"seat": player.seat, "card": CARD_TEXT[card]}
        for player, card in zip(deal.players, deal.toss, strict=True)
    ]


def _result(deal: Deal, count: Count) -> JSON:
    """Once the deal is over all hands are laid open."""
    if deal.how is None:
        return None
    return {
        "how": deal.how.value,
        "winners": list(deal.winners),
        "points": {str(player.seat): player.points for player in deal.players},
        "hands": [
            {
                "seat": player.seat,
                "groups": group_texts(player.groups),
                "count": count(player.hand),
            }
            for player in deal.players
        ],
    }
