"""The public facts that a change brings about; nothing in them is anybody's secret."""

from collections.abc import Mapping, Sequence

from tables.games.base import DEAL_BEGINS, DEAL_ENDS, JSON, Event, Instant
from tables.games.cards import CARD_TEXT, Card, card_texts
from tables.games.gin.melds import Groups, LayOffs, group_texts

Events = tuple[Event, ...]


def toss(cards: Mapping[int, Card]) -> Event:
    drawn: list[JSON] = [{"seat": seat, "card": CARD_TEXT[card]} for seat, card in cards.items()]
    return Event("toss", {"cards": drawn})


def dealt(*, order: Sequence[int], upcard: Card, knock_limit: int) -> Event:
    return Event(
        DEAL_BEGINS,
        {
            "order": list(order),
            "dealer": order[-1],
            "open": CARD_TEXT[upcard],
            "knock_limit": knock_limit,
        },
    )


def turn(seat: int, due_at: Instant) -> Event:
    return Event("turn", {"seat": seat, "due_at": due_at})


def passed(seat: int) -> Event:
    """The seat has let the upcard go (G4)."""
    return Event("passed", {"seat": seat})


def drawn_closed(seat: int) -> Event:
    return Event("drawn", {"seat": seat, "source": "closed"})


def drawn_open(seat: int, card: Card) -> Event:
    return Event("drawn", {"seat": seat, "source": "open", "card": CARD_TEXT[card]})


def discarded(seat: int, card: Card) -> Event:
    return Event("discarded", {"seat": seat, "card": CARD_TEXT[card]})


def missed_turn(seat: int, missed: int) -> Event:
    return Event("missed_turn", {"seat": seat, "missed": missed})


def knocked(seat: int, how: str, groups: Groups, loose: Sequence[Card], points: int) -> Event:
    """`how` is knock, gin or big_gin. The card that was put down is face down."""
    return Event(
        "knocked",
        {
            "seat": seat,
            "how": how,
            "groups": group_texts(groups),
            "loose": card_texts(loose),
            "points": points,
        },
    )


def defended(
    seat: int, groups: Groups, lay_offs: LayOffs, loose: Sequence[Card], points: int
) -> Event:
    """The answer to a knock, by the player or laid as well as can be; `points` are left."""
    return Event(
        "defended",
        {
            "seat": seat,
            "groups": group_texts(groups),
            "lay_offs": [[CARD_TEXT[card], meld] for card, meld in lay_offs],
            "loose": card_texts(loose),
            "points": points,
        },
    )


def left(seat: int) -> Event:
    return Event("left", {"seat": seat})


def deal_over(
    *, winner: int | None, how: str, lost: Mapping[int, int], deadwoods: Mapping[int, int]
) -> Event:
    """`lost` are the points of each seat; nobody has won a dead deal."""
    return Event(
        DEAL_ENDS,
        {
            "winners": [] if winner is None else [winner],
            "points": {str(seat): count for seat, count in lost.items()},
            "how": how,
            "deadwoods": {str(seat): count for seat, count in deadwoods.items()},
        },
    )


def deal_due(at: Instant) -> Event:
    """When the next deal of the match begins by itself."""
    return Event("deal_due", {"due_at": at})


def match_over(winners: Sequence[int]) -> Event:
    return Event("match_over", {"winners": list(winners)})
