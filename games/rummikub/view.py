"""The public view of a match, and the private view of each seat (K18)."""

from typing import Final

from games.cards import FACE_TEXT, card_texts
from games.engine.base import JSON
from games.engine.game import View
from games.engine.state import Stage
from games.rummikub.rules.deal import Deal, Player
from games.rummikub.rules.laying import judge_table
from games.rummikub.rules.match import Match
from games.rummikub.rules.melds import Meld, Melds, cards_of, list_readings, stands_json
from games.rummikub.rules.moves import build_stand, check_table
from games.rummikub.rules.ruleset import RummikubRules

NOTHING_PRIVATE: Final[dict[str, JSON]] = {
    "hand": [],
    "drawn": [],
    "points": None,
    "rev": 0,
    "draft": None,
}


def public_view(match: Match) -> dict[str, JSON]:
    deal, rules = match.deal, match.rules
    is_between = match.stage is Stage.BETWEEN
    in_turn = deal.in_turn
    return {
        "deal": match.number,
        "phase": match.stage.value if is_between else deal.phase.value,
        "order": list(deal.order),
        "turn": deal.at_turn.seat if in_turn else None,
        "turn_number": deal.turn_number,
        "toss": deal.tossed,
        "table": [_describe_meld(meld) for meld in deal.table],
        "last_lay": _describe_last_lay(deal),
        "pool_count": len(deal.pool),
        "initial_meld": rules.initial_meld,
        "due_at": deal.due_at if in_turn else match.due_at,
        "deadline": deal.deadline if in_turn else match.due_at,
        "players": {
            str(seat): _describe_player(match, deal.player(seat), seat)
            for seat in sorted(match.seats)
        },
        "result": _describe_result(deal, rules),
        "match": {
            "deals": rules.deals,
            "scores": {str(seat): total for seat, total in match.totals.items()},
            "sheet": [line.json() for line in match.sheet],
            "winners": list(match.winners),
        },
    }


def private_view(match: Match, seat: int) -> dict[str, JSON]:
    deal, rules = match.deal, match.rules
    player = deal.player(seat)
    if player is None:
        return dict(NOTHING_PRIVATE)
    return {
        "hand": card_texts(player.rack),
        "drawn": card_texts(player.drawn),
        "points": player.points(rules),
        "rev": player.rev,
        "draft": None
        if player.draft is None
        else _describe_draft(deal, rules, player, player.draft),
    }


def _describe_meld(meld: Meld) -> dict[str, JSON]:
    kind = meld.kind
    return {**meld.json(), "kind": None if kind is None else kind.value, "points": meld.points}


def _describe_last_lay(deal: Deal) -> JSON:
    last = deal.last_lay
    if last is None:
        return None
    return {
        "seat": last.seat,
        "from_rack": card_texts(last.from_rack),
        "moved": card_texts(last.moved),
        "points": last.points,
    }


def _describe_player(match: Match, player: Player | None, seat: int) -> dict[str, JSON]:
    """Return the public view of a seat. A player who left the match before this deal has no tiles in it."""
    left = seat in match.left
    score = match.totals[seat]
    if player is None:
        return {"status": "left", "tiles": 0, "opened": False, "missed": 0, "score": score}
    return {
        "status": "left" if left else player.status.value,
        "tiles": len(player.rack),
        "opened": player.has_opened,
        "missed": player.missed,
        "score": score,
    }


def _describe_draft(
    deal: Deal, rules: RummikubRules, player: Player, table: Melds
) -> dict[str, JSON]:
    """Return the table that the player is building, with its verdict as a lay."""
    stand = build_stand(deal, rules, player)
    verdict, refusal = judge_table(stand, table), check_table(stand, table)
    melds: list[JSON] = [
        {**_describe_meld(meld), "as": said, "readings": _list_readings(meld)}
        for meld, said in zip(table, map(stands_json, table), strict=True)
    ]
    used = set(cards_of(table))
    return {
        "table": melds,
        "missing": card_texts(card for card in cards_of(deal.table) if card not in used),
        "refusal": None if refusal is None else refusal.code,
        "tiles": verdict.tiles,
        "points": verdict.points,
        "opening_points": verdict.opening_points,
    }


def _list_readings(meld: Meld) -> list[JSON]:
    """Return the readings of a meld, each as the face of each tile, or an empty list if there is only one reading.

    A reading is one choice of faces for the jokers of the meld.
    """
    found = list_readings(meld.cards) if meld.jokers else ()
    return [[FACE_TEXT[face] for face in faces] for faces in found] if len(found) > 1 else []


def _describe_result(deal: Deal, rules: RummikubRules) -> JSON:
    """Return the result of a deal that is over, with all racks shown, or None before its end."""
    if deal.how is None:
        return None
    racks: list[JSON] = [
        {
            "seat": player.seat,
            "tiles": card_texts(player.rack),
            "count": player.points(rules),
            "lost": player.lost,
        }
        for player in deal.players
    ]
    return {
        "how": deal.how.value,
        "winners": list(deal.winners),
        "points": sum(player.lost for player in deal.players),
        "racks": racks,
    }


VIEW: Final = View(public_view, private_view, NOTHING_PRIVATE)
