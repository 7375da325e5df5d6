"""The public facts that a change brings about; nothing in them is anybody's secret."""

from collections.abc import Mapping, Sequence

from tables.games.base import DEAL_BEGINS, DEAL_ENDS, JSON, Event, Instant
from tables.games.cards import CARD_TEXT, Card, card_texts
from tables.games.rummikub.melds import Melds, melds_json

Events = tuple[Event, ...]


def toss(cards: Mapping[int, Card]) -> Event:
    drawn: list[JSON] = [{"seat": seat, "card": CARD_TEXT[card]} for seat, card in cards.items()]
    return Event("toss", {"cards": drawn})


def dealt(order: Sequence[int]) -> Event:
    return Event(DEAL_BEGINS, {"order": list(order), "dealer": order[-1]})


def turn(seat: int, due_at: Instant) -> Event:
    return Event("turn", {"seat": seat, "due_at": due_at})


def laid(
    seat: int, table: Melds, from_rack: Sequence[Card], moved: Sequence[Card], points: int
) -> Event:
    """The whole table after it, the tiles that came from the rack, and those that lay with others
    before; `points` of what came from the rack."""
    return Event(
        "laid",
        {
            "seat": seat,
            "table": melds_json(table),
            "from_rack": card_texts(from_rack),
            "moved": card_texts(moved),
            "points": points,
        },
    )


def opened(seat: int, points: int) -> Event:
    """The seat has met the initial meld (K7)."""
    return Event("opened", {"seat": seat, "points": points})


def drawn(seat: int, tiles: int, why: str) -> Event:
    """`why`: turn, or overtime or invalid when the time has run out (K12)."""
    return Event("drawn", {"seat": seat, "count": tiles, "why": why})


def passed(seat: int) -> Event:
    return Event("passed", {"seat": seat})


def missed_turn(seat: int, missed: int) -> Event:
    """The time has run out with nothing laid (K13)."""
    return Event("missed_turn", {"seat": seat, "missed": missed})


def out(seat: int) -> Event:
    """The seat is out of the deal: it has missed too many turns, or has left."""
    return Event("out", {"seat": seat})


def left(seat: int) -> Event:
    return Event("left", {"seat": seat})


def deal_over(
    *, winners: Sequence[int], how: str, lost: Mapping[int, int], counts: Mapping[int, int]
) -> Event:
    """`lost` are the points of each seat, `counts` what each rack counts."""
    return Event(
        DEAL_ENDS,
        {
            "winners": list(winners),
            "points": {str(seat): points for seat, points in lost.items()},
            "how": how,
            "counts": {str(seat): points for seat, points in counts.items()},
        },
    )


def deal_due(at: Instant) -> Event:
    """When the next deal of the match begins by itself."""
    return Event("deal_due", {"due_at": at})


def match_over(winners: Sequence[int]) -> Event:
    return Event("match_over", {"winners": list(winners)})
