"""What may be seen: by everybody, and by the player on one seat alone (G17)."""

from typing import Final

from tables.games.base import JSON
from tables.games.cards import CARD_TEXT, Card, card_texts
from tables.games.gin.advice import best_of, may_knock
from tables.games.gin.deal import Deal, KnockKind, Phase, Player, knock_limit
from tables.games.gin.match import Match, Stage
from tables.games.gin.melds import LayOffs, group_texts, meld_kind
from tables.games.gin.rulesets import GinRules
from tables.games.gin.sheet import bonuses, sheet_json
from tables.games.gin.showdown import defence_of

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


def public_view(match: Match) -> dict[str, JSON]:
    deal, rules = match.deal, match.rules
    in_turn = deal.phase in (Phase.UPCARD, Phase.TURN)
    is_between = match.stage is Stage.BETWEEN
    deadline = match.due_at if is_between else deal.deadline
    return {
        "deal": match.number,
        "phase": match.stage.value if is_between else deal.phase.value,
        "step": ("draw" if deal.drawn is None else "discard") if in_turn else None,
        "order": list(deal.order),
        "dealer": deal.dealer,
        "turn": deal.at_turn.seat if in_turn else None,
        "turn_number": deal.turn_number,
        "toss": _toss(deal),
        "upcard": CARD_TEXT[deal.upcard],
        "open_pile": card_texts(deal.open_pile if rules.open_discards else deal.open_pile[-1:]),
        "discards": _discards(deal, rules),
        "closed_count": len(deal.closed),
        "must_draw_closed": deal.must_draw_closed,
        "taken": {str(player.seat): card_texts(player.taken) for player in deal.players},
        "knock_limit": knock_limit(deal.upcard, rules),
        "due_at": deal.due_at if deadline is not None and not is_between else deadline,
        "deadline": deadline,
        "players": {str(player.seat): _player(match, player) for player in deal.players},
        "knock": _knock(deal),
        "result": _result(deal),
        "match": {
            "target": rules.target,
            "deals": rules.deals,
            "scores": {str(seat): score for seat, score in match.scores.items()},
            "sheet": sheet_json(match.sheet),
            "bonuses": _bonuses(match),
            "dead_deals": match.dead_deals,
            "winners": list(match.winners),
        },
    }


def _bonuses(match: Match) -> dict[str, JSON]:
    """Of the whole match, once it is over."""
    if match.stage is not Stage.OVER:
        return {}
    return bonuses(match.sheet, match.seats, match.winners, match.rules)


def private_view(match: Match, seat: int) -> dict[str, JSON]:
    deal, rules = match.deal, match.rules
    player = deal.player(seat)
    if player is None:
        return dict(NOTHING_PRIVATE)
    best = best_of(player.hand, _kept(deal, rules, player))
    defends = deal.phase is Phase.DEFEND and deal.waiting_for.seat == seat
    drawn = deal.drawn if deal.at_turn.seat == seat else None
    return {
        "hand": card_texts(player.hand),
        "groups": group_texts(player.groups),
        "rev": player.rev,
        "drawn": None if drawn is None else CARD_TEXT[drawn],
        "from_open": drawn is not None and deal.drawn_from_open,
        "deadwood": best.deadwood,
        "may_knock": may_knock(deal, rules, player),
        "best_groups": group_texts(best.groups),
        "defence": _defence(deal) if defends else None,
    }


def _kept(deal: Deal, rules: GinRules, player: Player) -> Card | None:
    return deal.kept_card(rules) if deal.at_turn.seat == player.seat else None


def _toss(deal: Deal) -> JSON:
    if deal.toss is None:
        return None
    return [
        {"seat": player.seat, "card": CARD_TEXT[card]}
        for player, card in zip(deal.players, deal.toss, strict=True)
    ]


def _discards(deal: Deal, rules: GinRules) -> list[JSON]:
    """All of the deal, or the one that lies on top."""
    seen = deal.discards
    if not rules.open_discards:
        on_top = bool(seen and deal.open_pile and seen[-1][1] == deal.open_pile[-1])
        seen = seen[-1:] if on_top else ()
    return [[seat, CARD_TEXT[card]] for seat, card in seen]


def _player(match: Match, player: Player) -> dict[str, JSON]:
    return {
        "status": _status(match, player.seat),
        "cards": sum(map(len, player.groups)),
        "score": match.scores[player.seat],
        "missed": player.missed,
        "extra_ms": player.extra_ms,
    }


def _status(match: Match, seat: int) -> str:
    """playing, knocked, won, lost, even (after a dead deal) or left (the match)."""
    deal = match.deal
    if match.left == seat:
        return "left"
    if deal.outcome is None:
        return "knocked" if deal.knock is not None and deal.knock.seat == seat else "playing"
    if deal.outcome.winner is None:
        return "even"
    return "won" if deal.outcome.winner == seat else "lost"


def _knock(deal: Deal) -> JSON:
    knock = deal.knock
    if knock is None:
        return None
    return {
        "seat": knock.seat,
        "kind": knock.kind.value,
        "groups": group_texts(knock.groups),
        "kinds": [kind and kind.value for kind in map(meld_kind, knock.groups)],
        "loose": card_texts(knock.loose),
        "points": knock.points,
        "can_lay_off": knock.kind is KnockKind.KNOCK,
    }


def _result(deal: Deal) -> JSON:
    """Once the deal is over all hands are laid open."""
    outcome = deal.outcome
    if outcome is None:
        return None
    card = deal.knock.card if deal.knock is not None else None
    hands: list[JSON] = [
        {
            "seat": seat,
            "groups": group_texts(hand.groups),
            "loose": card_texts(hand.loose),
            "deadwood": hand.deadwood,
        }
        for seat, hand in zip(deal.order, outcome.hands, strict=True)
    ]
    return {
        "how": outcome.how.value,
        "winner": outcome.winner,
        "winners": [] if outcome.winner is None else [outcome.winner],
        "points": outcome.points,
        "hands": hands,
        "lay_offs": _lay_off_texts(outcome.lay_offs),
        "card": None if card is None else CARD_TEXT[card],
    }


def _defence(deal: Deal) -> dict[str, JSON]:
    best = defence_of(deal)
    return {
        "groups": group_texts(best.groups),
        "lay_offs": _lay_off_texts(best.lay_offs),
        "loose": card_texts(best.loose),
        "points": best.deadwood,
    }


def _lay_off_texts(lay_offs: LayOffs) -> list[JSON]:
    return [[CARD_TEXT[card], meld] for card, meld in lay_offs]
