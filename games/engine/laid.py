"""Melds on the table: the part that basic rummy, Contract Rummy and 500 Rum share."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from typing import Any, Final, TypeVar

from games.cards import (
    CARD_BY_TEXT,
    CARD_TEXT,
    FACE_RANK,
    FACE_SUIT,
    FACE_TEXT,
    PRINTED_JOKER,
    Card,
    card_texts,
    parse_face,
)
from games.engine import state
from games.engine.base import JSON, Result
from games.engine.core import Core, ranks_of
from games.engine.moves import PilesStep
from games.engine.state import RulesT_co, Stage, Value, as_json

LOW_ACE: Final = 1
HIGH_ACE: Final = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The conditions that a rule set sets for melds."""

    min_set: int = 3
    min_run: int = 3
    # Whether an ace may follow a king, at the end of a run.
    ace_high: bool = False
    # Whether a set may hold a suit twice, as the cards of several packs do.
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class Meld:
    """A meld on the table.

    `faces` are what the cards stand for, and `by` the seats that laid them, in the order of `cards`.

    The cards of a run are in order, and `start` is the position of the first one: its rank, or 14 for an ace above the
    king. `start` is 0 for a set.
    """

    cards: tuple[Card, ...]
    faces: tuple[int, ...]
    by: tuple[int, ...]
    start: int = 0

    @property
    def is_set(self) -> bool:
        return not self.start

    @property
    def end(self) -> int:
        """The position of a run's last card: its rank, or 14 for an ace above the king."""
        return self.start + len(self.cards) - 1

    @property
    def naturals(self) -> int:
        """The number of cards that stand for themselves."""
        return sum(card.face == face for card, face in zip(self.cards, self.faces, strict=True))

    def find_joker_for(self, face: int) -> int | None:
        """Return the index of the joker or wild card that stands for this face, or None."""
        for place, (card, stands_for) in enumerate(zip(self.cards, self.faces, strict=True)):
            if stands_for == face and card.face != face:
                return place
        return None

    def json(self, word_for_run: str) -> dict[str, JSON]:
        """Return the meld as every player sees it. `word_for_run` is the `kind` of a run."""
        return {
            "kind": "set" if self.is_set else word_for_run,
            "cards": card_texts(self.cards),
            "as": [FACE_TEXT[face] for face in self.faces],
            "by": list(self.by),
        }


def face_at(suit: int, step: int) -> int:
    return suit * 13 + (step - 1) % 13


def build_meld(
    cards: Sequence[Card], faces: Sequence[int], shape: Shape, *, seat: int = 0
) -> Meld | None:
    """Return these cards as a meld, in whatever order they are given, or None if they form no meld.

    `faces` are what the cards stand for; none may be a joker.
    """
    if len(set(cards)) < len(cards) or PRINTED_JOKER in faces:
        return None
    if len({FACE_RANK[face] for face in faces}) == 1:
        return _build_set(cards, faces, shape, seat)
    steps = steps_of(faces, shape)
    if steps is None or len(cards) < shape.min_run:
        return None
    return _run(sorted(zip(steps, cards, faces, [seat] * len(cards), strict=True)))


def extend_meld(
    meld: Meld, cards: Sequence[Card], faces: Sequence[int], shape: Shape, *, seat: int
) -> Meld | None:
    """Return the meld with these cards added, or None if they do not fit. Cards on the table keep their places (B6)."""
    if not cards or PRINTED_JOKER in faces:
        return None
    by = [seat] * len(cards)
    if meld.is_set:
        everything = (*meld.cards, *cards), (*meld.faces, *faces)
        grown = build_meld(*everything, shape)
        if grown is None or not grown.is_set:
            return None
        return Meld(*everything, (*meld.by, *by))
    suits = {FACE_SUIT[face] for face in (meld.faces[0], *faces)}
    held = range(meld.start, meld.end + 1)
    steps = steps_of(faces, shape, beside=held)
    if len(suits) > 1 or steps is None:
        return None
    lying = zip(held, meld.cards, meld.faces, meld.by, strict=True)
    return _run(sorted([*lying, *zip(steps, cards, faces, by, strict=True)]))


def as_meld(cards: Sequence[Card], shape: Shape, *, seat: int = 0) -> Meld | None:
    """Return the meld that these cards form if each stands for itself, or None."""
    return build_meld(cards, [card.face for card in cards], shape, seat=seat)


def add_to_meld(meld: Meld, cards: Sequence[Card], shape: Shape, *, seat: int = 0) -> Meld | None:
    """Return the meld with these cards added, each standing for itself, or None if they do not fit."""
    return extend_meld(meld, cards, [card.face for card in cards], shape, seat=seat)


def list_faces_beside(meld: Meld) -> tuple[int, ...]:
    """Return the faces of single cards that may fit on the meld.

    No other face fits, and some of these may not fit either.
    """
    if meld.is_set:
        return tuple(range(FACE_RANK[meld.faces[0]] - 1, PRINTED_JOKER, 13))
    suit = FACE_SUIT[meld.faces[0]]
    return face_at(suit, meld.start - 1), face_at(suit, meld.end + 1)


def steps_of(
    faces: Sequence[int], shape: Shape, *, beside: Sequence[int] = ()
) -> tuple[int, ...] | None:
    """Return the positions of these faces if they make one run together with the positions `beside` them, else None.

    A position is a rank, or 14 for an ace above the king. A single ace that could be at either end is the low one.
    """
    if len({FACE_SUIT[face] for face in faces}) != 1:
        return None
    ranks = [FACE_RANK[face] for face in faces]
    if ranks.count(LOW_ACE) > 2:
        return None
    ace_steps = (LOW_ACE, HIGH_ACE) if shape.ace_high else (LOW_ACE,)
    for steps in product(*(ace_steps if rank == LOW_ACE else (rank,) for rank in ranks)):
        taken = sorted((*steps, *beside))
        if taken == list(range(taken[0], taken[0] + len(taken))):
            return steps
    return None


def _build_set(cards: Sequence[Card], faces: Sequence[int], shape: Shape, seat: int) -> Meld | None:
    if len(cards) < shape.min_set:
        return None
    if not shape.repeats and len(set(faces)) < len(faces):
        return None
    return Meld(tuple(cards), tuple(faces), (seat,) * len(cards))


def _run(rows: Sequence[tuple[int, Card, int, int]]) -> Meld:
    steps, cards, faces, by = zip(*rows, strict=True)
    return Meld(cards, faces, by, steps[0])


class Phase(StrEnum):
    TURN = "turn"
    # An upcard is offered for sale (Contract Rummy).
    BUY = "buy"
    OVER = "over"


class Status(StrEnum):
    """The state of a player in a deal."""

    PLAYING = "playing"
    ABSENT = "absent"
    DROPPED = "dropped"
    LEFT = "left"
    WON = "won"
    LOST = "lost"


_PLAYING: Final = (Status.PLAYING, Status.ABSENT)


class How(StrEnum):
    """The way in which a deal ended."""

    OUT = "out"
    RUMMY = "rummy"
    BLOCKED = "blocked"
    LIMIT = "limit"
    LAST_PLAYER = "last_player"


class Player(state.PilesPlayer, kw_only=True):
    status: Status = Status.PLAYING
    # The number of the turn in which the player first laid a card.
    laid_in: int | None = None
    # The points lost by this deal, once they are certain.
    points: int | None = None

    @property
    def is_playing(self) -> bool:
        return self.status in _PLAYING


PlayerT_co = TypeVar("PlayerT_co", bound=Player, covariant=True)


class Deal(state.PilesDeal[PlayerT_co], kw_only=True):
    players: tuple[PlayerT_co, ...]
    melds: tuple[Meld, ...] = ()
    phase: Phase = Phase.TURN
    # Melds laid in this turn.
    laid: int = 0
    restocks: int = 0
    how: How | None = None

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(player.seat for player in self.players if player.status is Status.WON)

    def cards(self) -> Iterator[Card]:
        yield from super().cards()
        for meld in self.melds:
            yield from meld.cards


class Line(Value):
    """A finished deal on the score sheet. `points` are pairs of a seat and the points that it lost."""

    deal: int
    dealer: int
    how: str
    winners: tuple[int, ...]
    points: tuple[tuple[int, int], ...]

    def json(self) -> dict[str, JSON]:
        return {
            "deal": self.deal,
            "dealer": self.dealer,
            "how": self.how,
            "winners": [*self.winners],
            "points": {str(seat): points for seat, points in self.points},
        }


DealT_co = TypeVar("DealT_co", bound=Deal[Any], covariant=True)


class Match(state.Match[RulesT_co, DealT_co], kw_only=True):
    deal: DealT_co
    sheet: tuple[Line, ...] = ()

    @property
    def lost(self) -> dict[int, int]:
        """The points that each seat has lost in all deals."""
        lost = dict.fromkeys(self.seats, 0)
        for line in self.sheet:
            for seat, points in line.points:
                lost[seat] += points
        return lost

    @property
    def scores(self) -> dict[int, int]:
        """The score of each seat in a race."""
        raise NotImplementedError

    def count_deals_won(self, seat: int) -> int:
        return sum(seat in line.winners for line in self.sheet)


# --- A match.


def build_line(match: Match[Any, Any]) -> Line:
    """Return the score sheet's line for the deal that has just ended."""
    deal = match.deal
    return Line(
        deal=match.number,
        dealer=deal.dealer,
        how=str(deal.how),
        winners=deal.winners,
        points=tuple((player.seat, player.points or 0) for player in deal.players),
    )


def rank_seats(
    match: state.Match[Any, Any], merits: Mapping[int, tuple[float, ...]]
) -> dict[int, int]:
    """Return the rank of each seat, from 1: winners, then the others by their `merits`, then players who left.

    Merits are compared as tuples, and the lowest ranks first. Of the players who left, the last to leave ranks first.
    """

    def place(seat: int) -> tuple[float, ...]:
        gone = len(match.left) - match.left.index(seat) if seat in match.left else 0
        return (gone, *merits[seat])

    return ranks_of(match, place)


def sheet_json(sheet: Sequence[Line]) -> list[JSON]:
    return [line.json() for line in sheet]


StepT = TypeVar("StepT", bound=PilesStep[Any, Any, Any, Any])
RaceT = TypeVar("RaceT", bound=Match[Any, Any])
RaceDealT = TypeVar("RaceDealT", bound=Deal[Any])
RaceRulesT = TypeVar("RaceRulesT")


class Race(Core[StepT, RaceT, RaceDealT, RaceRulesT]):
    """A match that is one deal, or a race over several deals to a target score.

    The match has `scores` by seat; the rules have `is_per_point`, `target`, `deals` and `qualifiers`.
    """

    def line(self, match: RaceT) -> Line:
        return build_line(match)

    def find_winners(self, match: RaceT) -> tuple[int, ...]:
        """Return the winners, or an empty tuple while the match goes on (B13, B15)."""
        rules: Any = match.rules
        if rules.is_per_point:
            return match.sheet[-1].winners
        if len(match.staying) == 1:
            return match.staying
        ahead = self.find_leaders(match)
        has_target = match.scores[ahead[0]] >= (rules.target or 0)
        has_all_deals = rules.deals is not None and len(match.sheet) >= rules.deals
        is_decided = (has_target or has_all_deals) and len(ahead) == 1
        return ahead if is_decided else ()

    def find_leaders(self, match: RaceT) -> tuple[int, ...]:
        """Return the seats with the highest score.

        With `qualifiers` only one seat leads: ties go to the seat with more deals won, then to the one with fewer
        points lost, then to the one that comes first in the first order of play.
        """
        scores = match.scores
        best = max(scores[seat] for seat in match.staying)
        equal = tuple(seat for seat in match.staying if scores[seat] == best)
        if match.rules.qualifiers is None:
            return equal
        merits = _rate_race_seats(match)
        return (min(equal, key=merits.__getitem__),)

    def result(self, match: RaceT) -> Result:
        return Result(
            winners=tuple(sorted(match.winners)),
            points=match.lost,
            ranks=rank_seats(match, _rate_race_seats(match)),
            scores={} if match.rules.is_per_point else match.scores,
            shares=dict.fromkeys(match.winners, 1),
            next_order=self.find_next_order(match),
            facts={"sheet": sheet_json(match.sheet)},
        )


def _rate_race_seats(match: RaceT) -> dict[int, tuple[float, ...]]:
    scores, lost = match.scores, match.lost
    if match.rules.is_per_point:
        return {seat: (points,) for seat, points in lost.items()}
    if match.rules.qualifiers is None:
        return {seat: (-scores[seat],) for seat in match.seats}
    return {
        seat: (-scores[seat], -match.count_deals_won(seat), lost[seat], place)
        for place, seat in enumerate(match.seats)
    }


# --- Views.

NOTHING_PRIVATE: Final[dict[str, JSON]] = {
    "hand": [],
    "groups": [],
    "rev": 0,
    "drawn": None,
    "from_open": False,
    "count": 0,
}
Count = Callable[[Iterable[Card]], int]


def public_view(
    match: Match[Any, Any],
    word_for_run: str,
    count: Count,
    *,
    players: Callable[[Any], dict[str, Any]],
    more: dict[str, Any],
) -> dict[str, Any]:
    """Return the part of the public view that all games with melds on the table share.

    `word_for_run` is the `kind` of a run in JSON, and `count` returns the points of the cards in a hand. `players`
    returns the game's own fields of a player, and `more` are its own fields of the match.
    """
    deal, deadline = match.deal, match.deadline
    is_between = match.stage is Stage.BETWEEN
    is_drawing = deal.drawn is None
    return {
        "deal": match.number,
        "phase": (match.stage if is_between else deal.phase).value,
        "step": ("draw" if is_drawing else "discard") if deal.in_turn else None,
        "order": [*deal.order],
        "dealer": deal.dealer,
        "turn": None if deal.is_over else deal.at_turn.seat,
        "turn_number": deal.turn_number,
        "toss": deal.tossed,
        "open_pile": card_texts(deal.open_pile),
        "discards": [[seat, CARD_TEXT[card]] for seat, card in deal.discards],
        "closed_count": len(deal.closed),
        "restocks": deal.restocks,
        "taken": {str(player.seat): card_texts(player.taken) for player in deal.players},
        "melds": [meld.json(word_for_run) for meld in deal.melds],
        "laid": deal.laid,
        "due_at": deadline if deadline is None or is_between else deal.due_at,
        "deadline": deadline,
        "players": {
            str(player.seat): {**_describe_player(match, player), **players(player)}
            for player in deal.players
        },
        "result": as_json(_describe_result(deal, count)),
        "match": {
            "deals": match.rules.deals,
            "sheet": sheet_json(match.sheet),
            "left": [*match.left],
            "winners": [*match.winners],
            **more,
        },
    }


def _describe_player(match: Match[Any, Any], player: Player) -> dict[str, Any]:
    return {
        "status": (Status.LEFT if player.seat in match.left else player.status).value,
        "cards": sum(map(len, player.groups)),
        "has_laid": player.laid_in is not None,
        "missed": player.missed,
        "extra_ms": player.extra_ms,
        "points": player.points,
    }


def _describe_result(deal: Deal[Any], count: Count) -> Any:
    """Return the outcome with all hands face up, or None while the deal is running."""
    if deal.how is None:
        return None
    return {
        "how": deal.how,
        "winners": deal.winners,
        "points": {player.seat: player.points for player in deal.players},
        "hands": [
            {"seat": player.seat, "groups": player.groups, "count": count(player.hand)}
            for player in deal.players
        ],
    }


def private_view(match: Match[Any, Any], seat: int, count: Count) -> dict[str, Any]:
    deal = match.deal
    player = deal.player(seat)
    if player is None:
        return dict(NOTHING_PRIVATE)
    drawn = deal.drawn if deal.at_turn.seat == seat else None
    return {
        "hand": card_texts(player.hand),
        "groups": list(map(card_texts, player.groups)),
        "rev": player.rev,
        "drawn": None if drawn is None else CARD_TEXT[drawn],
        "from_open": drawn is not None and deal.drawn_from_open,
        "count": count(player.hand),
    }


class Bot:
    """A bot's view of the match. `skill.forgets` is how often, in percent of its turns, it forgets to lay anything."""

    def __init__(
        self, view: Mapping[str, Any], seat: int, rules: Any, skill: Any, rng: random.Random
    ) -> None:
        self.public: Mapping[str, Any] = view["public"]
        self.own: Mapping[str, Any] = view["you"]
        self.rules, self.seat, self.skill, self.rng = rules, seat, skill, rng
        self.hand = cards_of_texts(self.own["hand"])
        self.melds = read_melds(self.public)

    def happens(self, percent: int) -> bool:
        return self.rng.randrange(100) < percent

    def forgets_in_this_turn(self) -> bool:
        """Return whether the bot lays nothing in this turn. The answer stays the same for the whole turn."""
        name = f"{self.seat} {self.public['turn_number']} {self.own['drawn']}"
        return bool(random.Random(name).randrange(100) < self.skill.forgets)  # noqa: S311 - a whim

    @property
    def kept_card(self) -> Card | None:
        """The card that may not be discarded in this turn, or None."""
        is_bound = self.own["from_open"] and not self.rules.may_return_open_card
        return CARD_BY_TEXT[self.own["drawn"]] if is_bound else None


def cards_of_texts(texts: Iterable[str]) -> tuple[Card, ...]:
    return tuple(CARD_BY_TEXT[text] for text in texts)


def read_melds(public: Mapping[str, Any]) -> tuple[Meld, ...]:
    """Return the melds on the table from the public view, as values of the rules."""
    return tuple(_meld(shown) for shown in public["melds"])


def _meld(shown: Mapping[str, Any]) -> Meld:
    faces = tuple(parse_face(face) for face in shown["as"])
    start = 0 if shown["kind"] == "set" else FACE_RANK[faces[0]]
    return Meld(cards_of_texts(shown["cards"]), faces, tuple(shown["by"]), start)


def find_certain_cards(public: Mapping[str, Any], seat: int) -> set[Card]:
    """Return the cards that this seat is known to hold: drawn from the open pile, and not discarded or laid since."""
    lying = {card for meld in public["melds"] for card in meld["cards"]}
    lying |= set(public["open_pile"]) | {card for _, card in public["discards"]}
    return set(cards_of_texts(card for card in public["taken"][str(seat)] if card not in lying))


def seat_after(public: Mapping[str, Any], seat: int) -> int | None:
    """Return the seat of the player after this one who is still playing, or None if there is no other."""
    order: Sequence[int] = public["order"]
    place = order.index(seat)
    following = (*order[place + 1 :], *order[:place])
    playing = (other for other in following if public["players"][str(other)]["cards"])
    return next(playing, None)
