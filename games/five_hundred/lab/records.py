"""Records of finished deals of 500 Rum, and a second judgement of the melds and results in them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.analysis.records import Fact, claim, find_event, record_deal, step_record, strip_packs
from games.cards import CARD_BY_TEXT, Card
from games.engine.base import DEAL_BEGINS, DEAL_ENDS, JSON, DealStart
from games.engine.game import Records
from games.engine.laid import Meld, add_to_meld, as_meld
from games.engine.laying import WORD_FOR_RUN, cap_points
from games.five_hundred.rules.moves import count_laid_by
from games.five_hundred.rules.ruleset import RULES, decks


def deal_record(start: DealStart) -> dict[str, JSON]:
    """Return the first part of the deal's record.

    `deck` has the cards of one or two packs in their order before the shuffle.
    """
    dealt = find_event(start.events, DEAL_BEGINS) or {}
    return record_deal(start, decks(dealt["packs"]), "open", "hand_size")


def review(record: Mapping[str, Any]) -> list[dict[str, JSON]]:
    """Judge each laying of melds again, and the points of each player who stayed to the end.

    `counted` has the kinds of the melds, or the points lost. `answer` is the second judgement.
    """
    deal = _Deal(record)
    for step in record["steps"]:
        for event in step["events"]:
            deal.follow(event, step)
    return deal.claims


class _Deal:
    def __init__(self, record: Fact) -> None:
        self.rules = RULES.load(record["rules"])
        self.hands = {int(seat): _cards(cards) for seat, cards in record["hands"].items()}
        self.melds: list[Meld] = []
        self.gone: set[int] = set()
        self.claims: list[dict[str, JSON]] = []

    def follow(self, event: Fact, step: Fact) -> None:
        kind, seat = event["kind"], event.get("seat")
        if kind == "drawn":
            self.hands[event["seat"]] += _cards(event.get("cards") or [step["drew"]])
        elif kind == "discarded":
            self._take(event["seat"], [event["card"]])
        elif kind == "melded":
            self._meld(event["seat"], event["melds"])
        elif kind == "laid_off":
            cards = self._take(event["seat"], event["cards"])
            lying, shape = self.melds[event["meld"]], self.rules.shape
            self.melds[event["meld"]] = (
                add_to_meld(lying, cards, shape, seat=event["seat"]) or lying
            )
        elif kind in ("dropped", "left") and seat is not None:
            self.gone.add(seat)
        elif kind == DEAL_ENDS and event["how"] != "last_player":
            self._count(event["points"])

    def _take(self, seat: int, texts: Sequence[str]) -> list[Card]:
        cards = _cards(texts)
        self.hands[seat] = [card for card in self.hands[seat] if card not in cards]
        return cards

    def _meld(self, seat: int, shown: Sequence[Fact]) -> None:
        melds = [as_meld(self._take(seat, m["cards"]), self.rules.shape, seat=seat) for m in shown]
        self.melds += [meld for meld in melds if meld is not None]
        kinds: list[JSON] = [
            None if meld is None else "set" if meld.is_set else WORD_FOR_RUN for meld in melds
        ]
        groups = [strip_packs(one["cards"]) for one in shown]
        counted: list[JSON] = [one["kind"] for one in shown]
        self.claims.append(
            claim(seat, groups, "check", {"kinds": kinds}, counted, agree=kinds == counted)
        )

    def _count(self, points: Mapping[str, int]) -> None:
        """Add an entry to the review for each player's result (F11) and the points lost to the best result (F12).

        A result is the points of the cards laid less those of the cards in hand.
        """
        staying = {int(seat) for seat in points} - self.gone
        nets = {seat: self._net(seat) for seat in staying}
        for seat in sorted(staying):
            behind = max(nets.values()) - nets[seat]
            lost = cap_points(self.rules, behind)
            groups = [strip_packs([str(card) for card in self.hands[seat]])]
            said: dict[str, JSON] = {"net": nets[seat], "points": lost}
            counted = points[str(seat)]
            self.claims.append(claim(seat, groups, "count", said, counted, agree=lost == counted))

    def _net(self, seat: int) -> int:
        held = sum(map(self.rules.points_of, self.hands[seat]))
        return count_laid_by(self.melds, seat, self.rules) - held


def _cards(texts: Sequence[str]) -> list[Card]:
    return [CARD_BY_TEXT[text] for text in texts]


RECORDS: Final = Records(deal_record, step_record, review)
