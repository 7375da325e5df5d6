"""The views of Indian rummy: the public one, and the private one of a seat."""

from collections.abc import Mapping
from typing import Final

from games.cards import CARD_TEXT, FACE_TEXT
from games.engine.base import JSON
from games.engine.game import View
from games.engine.state import Groups, Stage, as_json
from games.indian.rules.match import rank_seats
from games.indian.rules.melds import group_kinds
from games.indian.rules.ruleset import RuleSet
from games.indian.rules.scoring import count_drops_left
from games.indian.rules.state import (
    Deal,
    Match,
    MatchStanding,
    Membership,
    Phase,
    Player,
    drop_points,
)


def public_view(match: Match) -> dict[str, JSON]:
    deal, rules = match.deal, match.deal_rules
    in_turn = deal.phase is Phase.TURN
    is_waiting = match.stage not in (Stage.DEAL, Stage.OVER)
    deadline = match.deadline
    waiting_for = match.stage if match.question is None else match.question.about
    return {
        "deal": match.number,
        "phase": waiting_for.value if is_waiting else deal.phase.value,
        "order": list(deal.order),
        "dealer": deal.players[-1].seat,
        "toss": deal.tossed,
        "wild": CARD_TEXT[deal.wild],
        "wild_rank": _wild_rank_text(deal),
        "closed_count": len(deal.closed),
        "open_pile": as_json(deal.open_pile),
        "discards": [[seat, CARD_TEXT[card]] for seat, card in deal.discards],
        "turn": deal.at_turn.seat if deal.phase in (Phase.TURN, Phase.DECLARE) else None,
        "step": ("draw" if deal.drawn is None else "discard") if in_turn else None,
        "turn_number": deal.turn_number,
        "open_drawable": deal.open_drawable,
        "due_at": deal.due_at if deadline is not None and not is_waiting else deadline,
        "deadline": deadline,
        "players": {str(player.seat): _describe_player(player, rules) for player in deal.players},
        "finish": _finish(deal),
        "declaration": _describe_declaration(deal, rules),
        "result": _describe_result(deal, rules),
        "match": _describe_match(match),
    }


def private_view(match: Match, seat: int) -> dict[str, JSON]:
    deal = match.deal
    player = deal.player(seat)
    groups = player.groups if player else ()
    in_turn = deal.phase is Phase.TURN and deal.at_turn.seat == seat
    drew = player is not None and deal.drawn is not None and in_turn
    return {
        "hand": [CARD_TEXT[card] for group in groups for card in group],
        "groups": as_json(groups),
        "rev": player.rev if player else 0,
        "drawn": CARD_TEXT[deal.drawn] if drew and deal.drawn is not None else None,
        "from_open": drew and deal.drawn_from_open,
    }


def _describe_player(player: Player, rules: RuleSet) -> dict[str, JSON]:
    return {
        "status": player.status.value,
        "cards": sum(map(len, player.groups)),
        "points": player.points,
        "extra_ms": player.extra_ms,
        "missed": player.missed,
        "drop_points": drop_points(rules, has_drawn=player.has_drawn)
        if player.is_playing
        else None,
        "shown": player.how is not None and player.how.value == "shown",
    }


def _wild_rank_text(deal: Deal) -> str:
    rank = deal.wild_rank
    return FACE_TEXT[rank - 1][0] if rank else ""


def _finish(deal: Deal) -> JSON:
    if deal.finish is None:
        return None
    return {"seat": deal.at_turn.seat, "card": CARD_TEXT[deal.finish]}


def _describe_declaration(deal: Deal, rules: RuleSet) -> JSON:
    declaration = deal.declaration
    if declaration is None:
        return None
    return {
        "seat": declaration.seat,
        "groups": as_json(declaration.groups),
        "kinds": _list_kinds(declaration.groups, deal, rules),
        "valid": declaration.reason is None,
        "reason": declaration.reason,
        "failed_group": declaration.failed_group,
    }


def _describe_result(deal: Deal, rules: RuleSet) -> JSON:
    """Return the result of a deal that is over, with the groups of all players, or None before the deal is over."""
    if deal.ending is None:
        return None
    hands = [
        {
            "seat": player.seat,
            "groups": as_json(player.groups),
            "kinds": _list_kinds(player.groups, deal, rules),
            "points": player.points,
            "how": player.how and player.how.value,
        }
        for player in deal.players
    ]
    return {"winners": list(deal.winners), "how": deal.ending.value, "hands": hands}


def _describe_match(match: Match) -> JSON:
    is_in = all(standing.membership is Membership.IN for standing in match.standings)
    places = {} if is_in else rank_seats(match)
    return {
        "deals": match.rules.deals,
        # All players of the match in order of play; the deal's `order` lists those who play it.
        "order": [standing.seat for standing in match.standings],
        "tie_breaker": match.tie_breaker,
        "winners": list(match.winners),
        "standings": {
            str(standing.seat): _describe_standing(standing, match.rules, places)
            for standing in match.standings
        },
        **_describe_question(match),
    }


def _describe_standing(
    standing: MatchStanding, rules: RuleSet, places: Mapping[int, int]
) -> dict[str, JSON]:
    is_in = standing.membership is Membership.IN
    return {
        "membership": standing.membership.value,
        "place": None if is_in else places[standing.seat],
        "score": standing.score,
        "chips": standing.chips,
        "deals_won": standing.deals_won,
        "entries": standing.entries,
        "drops_left": None if rules.deals else count_drops_left(standing.score, rules),
    }


def _describe_question(match: Match) -> dict[str, JSON]:
    """Return the fields about a question between two deals: the seats that have to answer it, and its terms.

    A question asks eliminated players whether they rejoin, or survivors whether they share the prize.
    """
    question = match.question
    waiting = list(question.waiting) if question else []
    parts = match.shares_offered
    return {
        "waiting": waiting,
        "rejoin_score": question.score if question else None,
        "split_asker": question.asker if question else None,
        "split_parts": {str(seat): part for seat, part in parts.items()} if parts else None,
        "may_offer_split": match.offers_split,
    }


def _list_kinds(groups: Groups, deal: Deal, rules: RuleSet) -> list[str | None]:
    return [kind and kind.value for kind in group_kinds(groups, deal.wild_rank, rules)]


VIEW: Final = View(public_view, private_view, {"hand": [], "groups": []})
