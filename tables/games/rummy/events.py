"""Public facts of a deal in which melds lie on the table; nothing in them is anybody's secret."""

from collections.abc import Mapping, Sequence

from tables.games.base import DEAL_BEGINS, DEAL_ENDS, JSON, Event, Instant
from tables.games.cards import CARD_TEXT, FACE_TEXT, Card, card_texts
from tables.games.rummy.melds import Meld

Events = tuple[Event, ...]


def toss(cards: Mapping[int, Card]) -> Event:
    drawn: list[JSON] = [{"seat": seat, "card": CARD_TEXT[card]} for seat, card in cards.items()]
    return Event("toss", {"cards": drawn})


def dealt(*, order: Sequence[int], open_card: Card, hand_size: int, **more: JSON) -> Event:
    return Event(
        DEAL_BEGINS,
        {
            "order": list(order),
            "dealer": order[-1],
            "open": CARD_TEXT[open_card],
            "hand_size": hand_size,
            **more,
        },
    )


def turn(seat: int, due_at: Instant) -> Event:
    return Event("turn", {"seat": seat, "due_at": due_at})


def drawn_closed(seat: int) -> Event:
    return Event("drawn", {"seat": seat, "source": "closed"})


def drawn_open(seat: int, card: Card) -> Event:
    return Event("drawn", {"seat": seat, "source": "open", "card": CARD_TEXT[card]})


def discarded(seat: int, card: Card) -> Event:
    return Event("discarded", {"seat": seat, "card": CARD_TEXT[card]})


def melded(seat: int, first: int, melds: Sequence[Meld], word_for_run: str) -> Event:
    """New melds; `first` is the number of the first one on the table."""
    return Event(
        "melded",
        {"seat": seat, "first": first, "melds": [meld.json(word_for_run) for meld in melds]},
    )


def laid_off(seat: int, meld: int, cards: Sequence[Card], faces: Sequence[int]) -> Event:
    return Event(
        "laid_off",
        {
            "seat": seat,
            "meld": meld,
            "cards": card_texts(cards),
            "as": [FACE_TEXT[face] for face in faces],
        },
    )


def restocked(count: int, *, is_shuffled: bool) -> Event:
    """The open pile below its top card is the closed deck now."""
    return Event("reshuffled" if is_shuffled else "turned_over", {"count": count})


def missed_turn(seat: int, missed: int) -> Event:
    return Event("missed_turn", {"seat": seat, "missed": missed})


def dropped(seat: int, points: int) -> Event:
    """Out of the deal after too many missed turns."""
    return Event("dropped", {"seat": seat, "points": points})


def absent(seat: int) -> Event:
    """Played for by the server from now on (C18)."""
    return Event("absent", {"seat": seat})


def left(seat: int, *, gone: bool = False) -> Event:
    """`gone`: they have not played for a whole deal (C18)."""
    return Event("left", {"seat": seat, "absent": True} if gone else {"seat": seat})


def deal_over(*, winners: Sequence[int], points: Mapping[int, int], how: str) -> Event:
    """`points` are what each seat loses."""
    return Event(
        DEAL_ENDS,
        {
            "winners": list(winners),
            "points": {str(seat): count for seat, count in points.items()},
            "how": how,
        },
    )


def deal_due(at: Instant) -> Event:
    """When the next deal of the match begins by itself."""
    return Event("deal_due", {"due_at": at})


def match_over(winners: Sequence[int]) -> Event:
    return Event("match_over", {"winners": list(winners)})
