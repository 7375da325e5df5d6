"""The public facts that a change brings about; nothing in them is anybody's secret."""

from collections.abc import Mapping, Sequence

from tables.games.base import JSON, Event, Instant
from tables.games.cards import CARD_TEXT, Card

Events = tuple[Event, ...]


def toss(cards: Mapping[int, Card]) -> Event:
    drawn: list[JSON] = [{"seat": seat, "card": CARD_TEXT[card]} for seat, card in cards.items()]
    return Event("toss", {"cards": drawn})


def dealt(*, order: Sequence[int], wild: Card, open_card: Card) -> Event:
    return Event(
        "dealt",
        {
            "order": list(order),
            "dealer": order[-1],
            "wild": CARD_TEXT[wild],
            "open": CARD_TEXT[open_card],
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


def reshuffled(count: int) -> Event:
    return Event("reshuffled", {"count": count})


def dropped(seat: int, points: int, how: str) -> Event:
    return Event("dropped", {"seat": seat, "points": points, "how": how})


def missed_turn(seat: int, missed: int) -> Event:
    return Event("missed_turn", {"seat": seat, "missed": missed})


def finished(seat: int, card: Card) -> Event:
    return Event("finished", {"seat": seat, "card": CARD_TEXT[card]})


def declared(seat: int, reason: str | None, failed_group: int | None) -> Event:
    return Event(
        "declared",
        {"seat": seat, "valid": reason is None, "reason": reason, "failed_group": failed_group},
    )


def shown(seat: int, points: int) -> Event:
    return Event("shown", {"seat": seat, "points": points})


def left(seat: int) -> Event:
    return Event("left", {"seat": seat})


def deal_over(winners: Sequence[int], points: Mapping[int, int]) -> Event:
    by_seat = {str(seat): count for seat, count in points.items()}
    return Event("deal_over", {"winners": list(winners), "points": by_seat})


def match_over(winners: Sequence[int]) -> Event:
    return Event("match_over", {"winners": list(winners)})


def eliminated(seats: Sequence[int]) -> Event:
    return Event("eliminated", {"seats": list(seats)})


def rejoin_open(seats: Sequence[int], score: int, due_at: Instant) -> Event:
    return Event("rejoin_open", {"seats": list(seats), "score": score, "due_at": due_at})


def rejoined(seat: int, score: int) -> Event:
    return Event("rejoined", {"seat": seat, "score": score})


def rejoin_declined(seat: int) -> Event:
    return Event("rejoin_declined", {"seat": seat})


def split_offered(seat: int, parts: Mapping[int, int], due_at: Instant) -> Event:
    return Event("split_offered", {"seat": seat, "parts": _by_seat(parts), "due_at": due_at})


def split_open(parts: Mapping[int, int], due_at: Instant) -> Event:
    return Event("split_open", {"parts": _by_seat(parts), "due_at": due_at})


def _by_seat(parts: Mapping[int, int]) -> dict[str, JSON]:
    return {str(seat): part for seat, part in parts.items()}


def split_answered(seat: int, *, accept: bool) -> Event:
    return Event("split_answered", {"seat": seat, "accept": accept})


def split_closed(*, agreed: bool) -> Event:
    return Event("split_closed", {"agreed": agreed})


def deal_due(at: Instant, *, tie_breaker: bool) -> Event:
    """When the next deal of the match begins by itself."""
    return Event("deal_due", {"due_at": at, "tie_breaker": tie_breaker})
