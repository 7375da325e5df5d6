"""Melds on the table: the part that basic rummy, Contract Rummy and 500 Rum share."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import chain
from typing import Any, Final

from games.cards import CARD_TEXT, FACE_TEXT, Card, card_texts
from games.engine import moves, piles, state
from games.engine.base import DEAL_ENDS, JSON, Result
from games.engine.codec import Value
from games.engine.core import Core
from games.engine.melds import Meld
from games.engine.moves import refusal_to_part_with
from games.engine.refusals import GROUPS_NOT_YOUR_HAND, WRONG_STEP, Refusal
from games.engine.state import Stage
from games.engine.step import Step, as_json
from games.engine.wording import gettext_noop as _

NOTHING_LAID: Final = Refusal("nothing_laid", _("Choose the cards to lay down."))
NO_SUCH_MELD: Final = Refusal("no_such_meld", _("There is no such meld on the table."))
DOES_NOT_FIT: Final = Refusal("does_not_fit", _("These cards do not fit on that meld."))
TOO_MANY_MELDS: Final = Refusal(
    "too_many_melds", _("You have laid as many melds as you may in one turn.")
)
MUST_KEEP_A_DISCARD: Final = Refusal("must_keep_a_discard", _("Keep a card that you can discard."))


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


class Player(piles.Player, kw_only=True):
    status: Status = Status.PLAYING
    # The number of the turn in which the player first laid a card.
    laid_in: int | None = None
    # The points lost by this deal, once they are certain.
    points: int | None = None

    @property
    def is_playing(self) -> bool:
        return self.status in (Status.PLAYING, Status.ABSENT)


class Deal(piles.Deal, kw_only=True):
    players: tuple[Player, ...]
    melds: tuple[Meld, ...] = ()
    phase: Phase = Phase.TURN
    # Melds laid in this turn.
    laid: int = 0
    restocks: int = 0
    how: How | None = None

    @property
    def is_over(self) -> bool:
        return self.phase is Phase.OVER

    @property
    def in_turn(self) -> bool:
        return self.phase is Phase.TURN

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(player.seat for player in self.players if player.status is Status.WON)

    def cards(self) -> Iterator[Card]:
        """Every card of the deal: hands, piles and melds."""
        yield from self.closed
        yield from self.open_pile
        for player in self.players:
            yield from player.hand
        for meld in self.melds:
            yield from meld.cards


class Line(Value):
    """A finished deal on the score sheet. `points` are what each seat lost by it."""

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


class Match(state.Match, kw_only=True):
    deal: Deal
    sheet: tuple[Line, ...] = ()

    @property
    def lost(self) -> dict[int, int]:
        """The points that each seat has lost in all deals."""
        lost = dict.fromkeys(self.seats, 0)
        for line in self.sheet:
            for seat, points in line.points:
                lost[seat] += points
        return lost

    def deals_won(self, seat: int) -> int:
        return sum(seat in line.winners for line in self.sheet)


# --- A match.


def line_of(match: Any) -> Line:
    """Return the score sheet's line for the deal that has just ended."""
    deal = match.deal
    return Line(
        deal=match.number,
        dealer=deal.dealer,
        how=deal.how.value,
        winners=deal.winners,
        points=tuple((player.seat, player.points or 0) for player in deal.players),
    )


def rotated(match: Any) -> tuple[int, ...]:
    """Return the next order of play: the first player deals next. Skips players who have left."""
    order: tuple[int, ...] = match.deal.order
    return tuple(seat for seat in (*order[1:], order[0]) if seat not in match.left)


def ranked(match: Any, merits: Mapping[int, tuple[float, ...]]) -> dict[int, int]:
    """Return the rank of each seat, from 1. Equal merits share a rank.

    The winners come first, then the others by merit (less is better), then the players who left,
    the last to leave first.
    """

    def place(seat: int) -> tuple[float, ...]:
        gone = len(match.left) - match.left.index(seat) if seat in match.left else 0
        return (gone, *merits[seat])

    others = {seat: place(seat) for seat in match.seats if seat not in match.winners}
    behind = {
        seat: 1 + len(match.winners) + sum(other < own for other in others.values())
        for seat, own in others.items()
    }
    return {**dict.fromkeys(match.winners, 1), **behind}


def sheet_json(sheet: Sequence[Line]) -> list[JSON]:
    return [line.json() for line in sheet]


class Race(Core):
    """A match that is one deal, or a race of several deals to a score.

    The match has `scores` by seat; the rules have `is_per_point`, `target`, `deals` and
    `qualifiers`.
    """

    def line(self, match: Any) -> Line:
        return line_of(match)

    def next_order(self, match: Any) -> tuple[int, ...]:
        return rotated(match)

    def decided(self, match: Any) -> tuple[int, ...]:
        """Return the winners, or no seat while the match goes on (B13, B15)."""
        rules, staying = match.rules, match.staying
        if rules.is_per_point:
            winners: tuple[int, ...] = match.sheet[-1].winners
            return winners
        if len(staying) == 1:
            return tuple(staying)
        ahead = self.leaders(match)
        has_target = match.scores[ahead[0]] >= (rules.target or 0)
        has_all_deals = rules.deals is not None and len(match.sheet) >= rules.deals
        is_decided = (has_target or has_all_deals) and len(ahead) == 1
        return ahead if is_decided else ()

    def leaders(self, match: Any) -> tuple[int, ...]:
        """Return the seats with the highest score.

        With `qualifiers` there is one winner: equal scores are decided by deals won, then by
        fewer points lost, then by the first order of play.
        """
        scores = match.scores
        best = max(scores[seat] for seat in match.staying)
        equal = tuple(seat for seat in match.staying if scores[seat] == best)
        if match.rules.qualifiers is None:
            return equal
        merits = _race_merits(match)
        return (min(equal, key=merits.__getitem__),)

    def result(self, match: Any) -> Result:
        return Result(
            winners=tuple(sorted(match.winners)),
            points=match.lost,
            ranks=ranked(match, _race_merits(match)),
            scores={} if match.rules.is_per_point else match.scores,
            shares=dict.fromkeys(match.winners, 1),
            next_order=self.next_order(match),
            facts={"sheet": sheet_json(match.sheet)},
        )


def _race_merits(match: Any) -> dict[int, tuple[float, ...]]:
    scores, lost = match.scores, match.lost
    if match.rules.is_per_point:
        return {seat: (points,) for seat, points in lost.items()}
    if match.rules.qualifiers is None:
        return {seat: (-scores[seat],) for seat in match.seats}
    return {
        seat: (-scores[seat], -match.deals_won(seat), lost[seat], place)
        for place, seat in enumerate(match.seats)
    }


def capped(rules: Any, points: int) -> int:
    """Return the points, capped at the most that a deal costs (B12, C17, F12)."""
    return points if rules.max_points is None else min(points, rules.max_points)


# --- Laying.


def refusal_to_lay(step: Step, cards: Sequence[Card]) -> Refusal | None:
    """Check that the player holds these cards, each once."""
    if not cards:
        return NOTHING_LAID
    is_held = len(set(cards)) == len(cards) and set(cards) <= set(step.player.hand)
    return None if is_held else GROUPS_NOT_YOUR_HAND


def refusal_of_rest(
    rules: Any, kept: Card | None, rest: Sequence[Card], *, fits: bool
) -> Refusal | None:
    """Check that the turn can end after laying: the rest of the hand is empty, holds a card that
    may be discarded, or is a single card that fits a meld (`fits`). `kept` may not be discarded."""
    if not rest:
        return MUST_KEEP_A_DISCARD if rules.last_card == "discard" else None
    if may_discard_from(rules, len(rest)) and any(card != kept for card in rest):
        return None
    return None if fits and rules.last_card != "discard" else MUST_KEEP_A_DISCARD


class Discard(moves.Discard):
    """Put a card on the open pile. Some rules want the last card to be laid instead."""

    def refusal(self, step: Step) -> Refusal | None:
        if refusal := refusal_to_part_with(step, self.card):
            return refusal
        return None if may_discard_from(step.rules, len(step.player.hand)) else WRONG_STEP

    @classmethod
    def options(cls, step: Step) -> Iterator[Any]:
        return map(cls, discardable(step))


def discardable(step: Step) -> tuple[Card, ...]:
    """Return the cards that the player at turn may discard, in the order of the hand."""
    hand, kept = step.deal.at_turn.hand, step.kept_card
    if not may_discard_from(step.rules, len(hand)):
        return ()
    return tuple(card for card in hand if card != kept)


def may_discard_from(rules: Any, size: int) -> bool:
    """Return whether a hand of this size may discard. Some rules want the last card to be laid."""
    return size > 1 or bool(rules.last_card != "lay")


def rest_of(step: Step, cards: Sequence[Card]) -> tuple[Card, ...]:
    return tuple(card for card in step.player.hand if card not in cards)


def lay_melds(
    step: Step, melds: Sequence[Meld], word_for_run: str, *, event: str = "melded"
) -> None:
    shown = [meld.json(word_for_run) for meld in melds]
    step.tell(event, seat=step.seat, first=len(step.deal.melds), melds=shown)
    _take_from_hand(step, tuple(chain.from_iterable(meld.cards for meld in melds)))
    step.set(melds=(*step.deal.melds, *melds), laid=step.deal.laid + len(melds))


def lay_onto(
    step: Step, number: int, grown: Meld, cards: Sequence[Card], faces: Iterable[int]
) -> None:
    """Put cards on the meld of this number, which becomes `grown`."""
    shown = [FACE_TEXT[face] for face in faces]
    step.tell("laid_off", seat=step.seat, meld=number, cards=tuple(cards), **{"as": shown})
    put_on_meld(step, number, grown, cards)


def put_on_meld(step: Step, number: int, grown: Meld, cards: Sequence[Card]) -> None:
    _take_from_hand(step, cards)
    melds = step.deal.melds
    step.set(melds=(*melds[:number], grown, *melds[number + 1 :]))


def _take_from_hand(step: Step, cards: Sequence[Card]) -> None:
    player = step.player
    laid_in = step.deal.turn_number if player.laid_in is None else player.laid_in
    step.put(piles.without(player, *cards), laid_in=laid_in)


def return_drawn_card(step: Step) -> None:
    """Discard the card drawn in this turn if the leaving player still holds it."""
    if step.deal.drawn is not None and step.deal.drawn in step.deal.at_turn.hand:
        step.discard(step.deal.drawn)


# --- The end of a deal.


def end_lowest(
    step: Step, how: How, lost: Callable[[int], int], count: Callable[[Any], int]
) -> None:
    """B11: the lowest count wins. The others lose the difference to it; equal lowest counts share."""
    counts = {player.seat: count(player) for player in step.deal.playing}
    lowest = min(counts.values())
    points = {seat: lost(held - lowest) for seat, held in counts.items()}
    end_deal(step, how, points, [seat for seat, held in counts.items() if held == lowest])


def end_with_last_player(step: Step) -> None:
    """B15, C19: end the deal for the last player. The others' losses were counted as they left."""
    [last] = step.deal.playing
    end_deal(step, How.LAST_PLAYER, {last.seat: 0}, [last.seat])


def end_deal(step: Step, how: How, points: dict[int, int], winners: Sequence[int]) -> None:
    """End the deal. `points` by seat, of the players who stayed to the end."""
    for player in step.deal.players:
        if player.seat in points:
            status = Status.WON if player.seat in winners else Status.LOST
            step.put(player, status=status, points=points[player.seat])
    step.set(phase=Phase.OVER, drawn=None, drawn_from_open=False, how=how)
    lost = {player.seat: player.points or 0 for player in step.deal.players}
    step.tell(DEAL_ENDS, winners=step.deal.winners, points=lost, how=how)


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
    match: Any,
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
            str(player.seat): {**_player(match, player), **players(player)}
            for player in deal.players
        },
        "result": as_json(_result(deal, count)),
        "match": {
            "deals": match.rules.deals,
            "sheet": sheet_json(match.sheet),
            "left": [*match.left],
            "winners": [*match.winners],
            **more,
        },
    }


def _player(match: Any, player: Any) -> dict[str, Any]:
    return {
        "status": (Status.LEFT if player.seat in match.left else player.status).value,
        "cards": sum(map(len, player.groups)),
        "has_laid": player.laid_in is not None,
        "missed": player.missed,
        "extra_ms": player.extra_ms,
        "points": player.points,
    }


def _result(deal: Any, count: Count) -> Any:
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


def private_view(match: Any, seat: int, count: Count) -> dict[str, Any]:
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
