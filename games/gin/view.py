"""The views of gin: the public one, and the private one of a seat (G17)."""

from typing import Any, Final

from games.cards import CARD_TEXT
from games.engine.base import JSON
from games.engine.game import View
from games.engine.state import Stage, as_json
from games.gin.rules.melding import find_best_melding
from games.gin.rules.melds import meld_kind
from games.gin.rules.moves import find_defence
from games.gin.rules.ruleset import GinRules
from games.gin.rules.scoring import count_bonuses
from games.gin.rules.state import Deal, KnockKind, Match, Phase, Player, knock_limit

NOTHING_PRIVATE: Final[dict[str, JSON]] = {
    "hand": [],
    "groups": [],
    "rev": 0,
    "drawn": None,
    "from_open": False,
    "deadwood": None,
    "may_knock": False,
    "best_groups": [],
    "defence": None,
}


def public_view(match: Match) -> dict[str, Any]:
    deal, rules = match.deal, match.rules
    is_between = match.stage is Stage.BETWEEN
    deadline = match.deadline
    is_over = match.stage is Stage.OVER
    scores = match.scores
    won = count_bonuses(match.sheet, match.seats, match.winners, rules) if is_over else {}
    return {
        "deal": match.number,
        "phase": (match.stage if is_between else deal.phase).value,
        "step": ("draw" if deal.drawn is None else "discard") if deal.in_turn else None,
        "order": [*deal.order],
        "dealer": deal.dealer,
        "turn": deal.at_turn.seat if deal.in_turn else None,
        "turn_number": deal.turn_number,
        "toss": deal.tossed,
        "upcard": CARD_TEXT[deal.upcard],
        "open_pile": as_json(deal.open_pile if rules.open_discards else deal.open_pile[-1:]),
        "discards": [[seat, CARD_TEXT[card]] for seat, card in _list_discards(deal, rules)],
        "closed_count": len(deal.closed),
        "must_draw_closed": deal.must_draw_closed,
        "taken": {str(player.seat): as_json(player.taken) for player in deal.players},
        "knock_limit": knock_limit(deal.upcard, rules),
        "due_at": deadline if deadline is None or is_between else deal.due_at,
        "deadline": deadline,
        "players": {str(p.seat): _describe_player(match, p, scores[p.seat]) for p in deal.players},
        "knock": as_json(_knock(deal)),
        "result": as_json(_describe_result(deal)),
        "match": {
            "target": rules.target,
            "deals": rules.deals,
            "scores": {str(seat): score for seat, score in scores.items()},
            "sheet": as_json(match.sheet),
            "bonuses": as_json(won),
            "dead_deals": match.dead_deals,
            "winners": [*match.winners],
        },
    }


def private_view(match: Match, seat: int) -> dict[str, Any]:
    deal, rules = match.deal, match.rules
    player = deal.player(seat)
    if player is None:
        return dict(NOTHING_PRIVATE)
    is_turn = deal.at_turn.seat == seat
    drawn = deal.drawn if is_turn else None
    best = find_best_melding(player.hand, deal.find_kept_card(rules) if is_turn else None)
    defends = deal.phase is Phase.DEFEND and deal.waiting_for.seat == seat
    may_part = deal.in_turn and drawn is not None
    return {
        "hand": as_json(player.hand),
        "groups": as_json(player.groups),
        "rev": player.rev,
        "drawn": None if drawn is None else CARD_TEXT[drawn],
        "from_open": drawn is not None and deal.drawn_from_open,
        "deadwood": best.deadwood,
        "may_knock": may_part and best.deadwood <= knock_limit(deal.upcard, rules),
        "best_groups": as_json(best.groups),
        "defence": as_json(_describe_defence(deal)) if defends else None,
    }


def _list_discards(deal: Deal, rules: GinRules) -> tuple[Any, ...]:
    """Return all discards of the deal, or only the top one if the rules hide the others."""
    seen = deal.discards
    if rules.open_discards:
        return seen
    on_top = bool(seen and deal.open_pile and seen[-1][1] == deal.open_pile[-1])
    return seen[-1:] if on_top else ()


def _describe_player(match: Match, player: Player, score: int) -> dict[str, Any]:
    return {
        "status": _describe_status(match, player.seat),
        "cards": sum(map(len, player.groups)),
        "score": score,
        "missed": player.missed,
        "extra_ms": player.extra_ms,
    }


def _describe_status(match: Match, seat: int) -> str:
    """Return the status of a seat: playing, knocked, won, lost, even (after a dead deal) or left (the match)."""
    deal = match.deal
    if seat in match.left:
        return "left"
    if deal.outcome is None:
        return "knocked" if deal.knock is not None and deal.knock.seat == seat else "playing"
    if deal.outcome.winner is None:
        return "even"
    return "won" if deal.outcome.winner == seat else "lost"


def _knock(deal: Deal) -> Any:
    knock = deal.knock
    if knock is None:
        return None
    return {
        "seat": knock.seat,
        "kind": knock.kind,
        "groups": knock.groups,
        "kinds": [meld_kind(group) for group in knock.groups],
        "loose": knock.loose,
        "points": knock.points,
        "can_lay_off": knock.kind is KnockKind.KNOCK,
    }


def _describe_result(deal: Deal) -> Any:
    """Return the outcome with both hands shown, or None while the deal is running."""
    outcome = deal.outcome
    if outcome is None:
        return None
    return {
        "how": outcome.how,
        "winner": outcome.winner,
        "winners": [] if outcome.winner is None else [outcome.winner],
        "points": outcome.points,
        "hands": [
            {"seat": seat, "groups": hand.groups, "loose": hand.loose, "deadwood": hand.deadwood}
            for seat, hand in zip(deal.order, outcome.hands, strict=True)
        ],
        "lay_offs": outcome.lay_offs,
        "card": deal.knock and deal.knock.card,
    }


def _describe_defence(deal: Deal) -> dict[str, Any]:
    best = find_defence(deal)
    return {
        "groups": best.groups,
        "lay_offs": best.lay_offs,
        "loose": best.loose,
        "points": best.deadwood,
    }


VIEW: Final = View(public_view, private_view, NOTHING_PRIVATE)
