"""Melds on the table: the part that basic rummy, Contract Rummy and 500 Rum share."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, TypeVar

from games.cards import CARD_TEXT, Card, card_texts
from games.engine import state
from games.engine.base import JSON, Result
from games.engine.core import Core, ranks_of
from games.engine.melds import Meld
from games.engine.moves import PilesStep
from games.engine.state import RulesT_co, Stage, Value, as_json


class Phase(StrEnum):
    TURN = "turn"
    # An upcard is offered for sale (Contract Rummy).
    BUY = "buy"
    OVER = "over"


class Status(StrEnum):
    """The standing of a player in a deal."""

    PLAYING = "playing"
    ABSENT = "absent"
    DROPPED = "dropped"
    LEFT = "left"
    WON = "won"
    LOST = "lost"


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
        return self.status in (Status.PLAYING, Status.ABSENT)


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
    """A finished deal on the score sheet. `points` are each seat's losses."""

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


def line_of(match: Match[Any, Any]) -> Line:
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
    """Rank the winners, then the others by merit (less is better), then those who left, the last first."""

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
    """A match that is one deal, or a race of several deals to a score.

    The match has `scores` by seat; the rules have `is_per_point`, `target`, `deals` and
    `qualifiers`.
    """

    def line(self, match: RaceT) -> Line:
        return line_of(match)

    def find_winners(self, match: RaceT) -> tuple[int, ...]:
        """Return the winners, or no seat while the match goes on (B13, B15)."""
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

        With `qualifiers` there is one winner: equal scores are decided by deals won, then by
        fewer points lost, then by the first order of play.
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
    """Return the shared public view. `players` and `more` add the game's own fields."""
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
