"""The model's public view, and a seat's private view and legal moves."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tests.games.model import melds
from tests.games.model.deal import Deal, Move, Player
from tests.games.model.match import ModelMatch
from tests.games.model.ranks import count_drops_left

View = dict[str, Any]


def public_view(match: ModelMatch) -> View:
    deal = match.deal
    in_turn = deal.phase == "turn"
    deadline = match.deadline
    return {
        "deal": match.number,
        "phase": match.stage if match.is_waiting else deal.phase,
        "order": deal.order,
        "dealer": deal.order[-1],
        "toss": deal.toss and [{"seat": seat, "card": card} for seat, card in deal.toss],
        "wild": deal.turned_up,
        "wild_rank": deal.wild,
        "closed_count": len(deal.closed),
        "open_pile": deal.open,
        "discards": [[seat, card] for seat, card in deal.discards],
        "turn": deal.mover.seat if deal.phase in ("turn", "declare") else None,
        "step": ("draw" if deal.drawn is None else "discard") if in_turn else None,
        "turn_number": deal.turn_number,
        "open_drawable": deal.open_drawable,
        "due_at": deal.due_at if match.stage == "deal" else deadline,
        "deadline": deadline,
        "players": {str(one.seat): _describe_player(one, deal) for one in deal.players},
        "finish": deal.finish and {"seat": deal.mover.seat, "card": deal.finish},
        "declaration": _describe_declaration(deal),
        "result": _describe_result(deal),
        "match": _describe_match(match),
    }


def _describe_player(player: Player, deal: Deal) -> View:
    return {
        "status": player.status,
        "cards": len(player.hand),
        "points": player.points,
        "extra_ms": player.extra_ms,
        "missed": player.missed,
        "drop_points": deal.drop_points(player),
        "shown": player.how == "shown",
    }


def _list_kinds(groups: list[list[str]], deal: Deal) -> list[str | None]:
    return [melds.kind(group, deal.wild, deal.rules) for group in groups]


def _describe_declaration(deal: Deal) -> View | None:
    if deal.declaration is None:
        return None
    return {**deal.declaration, "kinds": _list_kinds(deal.declaration["groups"], deal)}


def _describe_result(deal: Deal) -> View | None:
    if deal.ending is None:
        return None
    hands = [
        {
            "seat": one.seat,
            "groups": one.groups,
            "kinds": _list_kinds(one.groups, deal),
            "points": one.points,
            "how": one.how,
        }
        for one in deal.players
    ]
    return {"winners": deal.winners, "how": deal.ending, "hands": hands}


def _describe_match(match: ModelMatch) -> View:
    rules = match.rules
    splitting = match.stage in ("between", "split")
    parts = match.split_parts() if splitting else None
    places = match.rank_seats()
    return {
        "deals": rules.deals,
        "order": list(match.members),
        "tie_breaker": match.tie_breaker,
        "winners": match.winners if match.stage == "over" else [],
        "standings": {
            str(seat): {
                "membership": one.membership,
                "place": None if one.is_in else places[seat],
                "score": one.score,
                "chips": one.chips,
                "deals_won": one.deals_won,
                "entries": one.entries,
                "drops_left": None if rules.deals else count_drops_left(one.score, rules),
            }
            for seat, one in match.members.items()
        },
        "waiting": match.waiting,
        "rejoin_score": match.rejoin_score if match.stage == "rejoin" else None,
        "split_asker": match.asker if match.stage == "split" else None,
        "split_parts": parts and {str(seat): part for seat, part in parts.items()},
        "may_offer_split": match.may_offer_split,
    }


def private_view(match: ModelMatch, seat: int) -> View:
    deal = match.deal
    player = deal.player(seat)
    drew = deal.drawn is not None and deal.mover.seat == seat
    return {
        "hand": player.hand if player else [],
        "groups": player.groups if player else [],
        "rev": player.rev if player else 0,
        "drawn": deal.drawn if drew else None,
        "from_open": drew and deal.drawn_from_open,
    }


def fractions(parts: Mapping[str, int]) -> dict[str, Fraction]:
    """Return the game's shares as fractions of the whole."""
    whole = sum(parts.values())
    return {seat: Fraction(part, whole) for seat, part in parts.items()}


def list_legal(match: ModelMatch, seat: int) -> list[Move]:
    """Return every legal move. A move with free groups is listed only by its kind."""
    member = match.members.get(seat)
    if member is None or match.stage == "over":
        return []
    moves: list[Move] = []
    if match.stage == "deal":
        player = match.deal.player(seat)
        if player is not None and player.status == "playing":
            moves += _list_legal_in_deal(match.deal, player)
    elif match.stage == "between":
        if member.is_in and match.may_offer_split:
            moves.append({"kind": "offer_split"})
    elif seat in match.waiting:
        kind = "rejoin" if match.stage == "rejoin" else "answer_split"
        moves += [{"kind": kind, "accept": accept} for accept in (True, False)]
    if member.membership != "left":
        moves.append({"kind": "leave"})
    return moves


def _list_legal_in_deal(deal: Deal, player: Player) -> list[Move]:
    moves: list[Move] = [{"kind": "arrange"}]
    if deal.phase == "show":
        return [*moves, {"kind": "show"}]
    if deal.mover is not player:
        return moves
    if deal.phase == "declare":
        return [*moves, {"kind": "declare"}]
    if deal.drawn is None:
        moves.append({"kind": "draw", "source": "closed"})
        if deal.open_drawable:
            moves.append({"kind": "draw", "source": "open"})
        if deal.drop_points(player) is not None:
            moves.append({"kind": "drop"})
        return moves
    moves += [{"kind": "finish", "card": card} for card in player.hand]
    kept = deal.drawn if deal.drawn_from_open and not deal.rules.may_return_open_card else None
    return moves + [{"kind": "discard", "card": card} for card in player.hand if card != kept]
