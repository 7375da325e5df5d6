"""The moves of basic rummy (B5 to B8), and the play for absent players (B14, B15)."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Annotated, Any, Final

from games.basic.rules.deal import How, Status
from games.basic.rules.laying import POINTS, best_laying, count, groups_in
from games.basic.rules.ruleset import DECK_SIZE
from games.cards import Card
from games.engine import laid, melds, moves
from games.engine.laid import DOES_NOT_FIT, NO_SUCH_MELD, TOO_MANY_MELDS
from games.engine.melds import as_meld, laid_onto
from games.engine.moves import AfterDrawing, Draw, Leave, Move
from games.engine.refusals import NOT_A_MELD, Refusal
from games.engine.step import Step
from games.engine.wire import Wire, Within

WORD_FOR_RUN: Final = "sequence"
# As many groups, and cards in one, as a hand of eleven can have.
HandGroups = Annotated[tuple[Annotated[tuple[Card, ...], Within(1, 11)], ...], Within(0, 11)]


class Meld(AfterDrawing):
    """Lay one or more new melds on the table (B5)."""

    kind = "meld"
    free = ("groups",)
    groups: HandGroups

    def refusal(self, step: Step) -> Refusal | None:
        rules, cards = step.rules, tuple(chain.from_iterable(self.groups))
        if refusal := laid.refusal_to_lay(step, cards):
            return refusal
        most = rules.melds_a_turn
        if most is not None and step.deal.laid + len(self.groups) > most:
            return TOO_MANY_MELDS
        made = [as_meld(group, rules.shape) for group in self.groups]
        if None in made:
            return NOT_A_MELD
        lying = [*step.deal.melds, *(meld for meld in made if meld is not None)]
        return _refusal_of_rest(step, lying, laid.rest_of(step, cards))

    def apply(self, step: Step) -> None:
        made = (as_meld(group, step.rules.shape, seat=step.player.seat) for group in self.groups)
        laid.lay_melds(step, [meld for meld in made if meld is not None], WORD_FOR_RUN)
        _end_if_out(step)

    @classmethod
    def options(cls, step: Step) -> Iterator[Any]:
        moves = (cls((group,)) for group in groups_in(step.player.hand, step.rules.shape))
        return (move for move in moves if move.refusal(step) is None)


class LayOff(AfterDrawing):
    """Add cards to a meld on the table; `meld` counts from 0 in the order of laying (B6)."""

    kind = "lay_off"
    free = ("cards",)
    # There are no more sequences and sets of three in a pack.
    meld: Annotated[int, Within(0, DECK_SIZE // 3 - 1)]
    cards: Annotated[tuple[Card, ...], Within(0, 11)]

    def refusal(self, step: Step) -> Refusal | None:
        lying = step.deal.melds
        if refusal := laid.refusal_to_lay(step, self.cards):
            return refusal
        if self.meld >= len(lying):
            return NO_SUCH_MELD
        grown = laid_onto(lying[self.meld], self.cards, step.rules.shape, seat=step.player.seat)
        if grown is None:
            return DOES_NOT_FIT
        then = [*lying[: self.meld], grown, *lying[self.meld + 1 :]]
        return _refusal_of_rest(step, then, laid.rest_of(step, self.cards))

    def apply(self, step: Step) -> None:
        meld, shape = step.deal.melds[self.meld], step.rules.shape
        grown = laid_onto(meld, self.cards, shape, seat=step.player.seat)
        assert grown is not None  # noqa: S101 - it has been checked
        laid.lay_onto(step, self.meld, grown, self.cards, [card.face for card in self.cards])
        _end_if_out(step)

    @classmethod
    def options(cls, step: Step) -> Iterator[Any]:
        for number in range(len(step.deal.melds)):
            for card in step.player.hand:
                move = cls(number, (card,))
                if move.refusal(step) is None:
                    yield move


class Discard(laid.Discard):
    """Put a card on the open pile (B7)."""

    def apply(self, step: Step) -> None:
        step.end_in_time()
        step.discard(self.card)
        end_turn(step)


class Arrange(moves.Arrange):
    groups: HandGroups


MOVES: Final = (Draw, Meld, LayOff, Discard, Arrange, Leave)
WIRE: Final = Wire[Move](MOVES, cards=DECK_SIZE)
move_json = WIRE.write


def _refusal_of_rest(step: Step, lying: list[melds.Meld], rest: tuple[Card, ...]) -> Refusal | None:
    shape = step.rules.shape
    fits = len(rest) == 1 and any(laid_onto(meld, rest, shape) for meld in lying)
    return laid.refusal_of_rest(step.rules, step.kept_card, rest, fits=fits)


# --- The end of a turn and of a deal.


def end_turn(step: Step) -> None:
    """End the turn, and the deal if the player has no cards left (B8)."""
    if not _end_if_out(step):
        pass_turn(step)


def pass_turn(step: Step) -> None:
    """Begin the next turn, or end a deal that is blocked or at its limit (B10, B11)."""
    if step.has_reached_limit:
        end_lowest(step, How.LIMIT)
    elif not step.restock():
        end_lowest(step, How.BLOCKED)
    else:
        step.begin_turn(laid=0)


def _end_if_out(step: Step) -> bool:
    """End the deal if the player has no cards left: they win, the others count theirs (B8, B9)."""
    deal, rules = step.deal, step.rules
    winner = deal.at_turn
    if winner.hand:
        return False
    is_rummy = winner.laid_in == deal.turn_number and rules.rummy_factor > 1
    factor = rules.rummy_factor if is_rummy else 1
    points = {p.seat: laid.capped(rules, count(p.hand) * factor) for p in deal.playing}
    laid.end_deal(step, How.RUMMY if is_rummy else How.OUT, points, [winner.seat])
    return True


def end_lowest(step: Step, how: How) -> None:
    """End the deal with a win for the lowest count (B11)."""
    rules = step.rules
    laid.end_lowest(step, how, lambda points: laid.capped(rules, points), lambda p: count(p.hand))


# --- Missed turns and leaving (B14, B15).


def miss_turn(step: Step) -> None:
    """Draw a card and discard it for a player whose clock has run out (B14)."""
    if step.deal.drawn is None:
        step.draw_closed()
    cards = laid.discardable(step)
    if cards:
        step.discard(step.deal.drawn if step.deal.drawn in cards else _dearest_loose(step, cards))
    end_turn(step)


def _dearest_loose(step: Step, cards: Sequence[Card]) -> Card:
    best = best_laying(step.deal.at_turn.hand, (), step.rules.shape)
    loose = [card for card in best.loose if card in cards]
    return max(loose or cards, key=lambda card: (POINTS[card], -card))


def drop_out(step: Step) -> None:
    """Drop the player from the deal, unless their discard is their last card (B14)."""
    laid.return_drawn_card(step)
    if _end_if_out(step):
        return
    player = step.deal.at_turn
    points = laid.capped(step.rules, count(player.hand))
    step.put(player, status=Status.DROPPED, points=points)
    step.tell("dropped", seat=player.seat, points=points)
    _go_on(step)


def leave(step: Step) -> None:
    """Count the hand of a leaving player, at least `leave_points` (B15)."""
    is_turn = step.deal.at_turn.seat == step.seat
    if is_turn:
        laid.return_drawn_card(step)
    leaver, rules = step.player, step.rules
    points = laid.capped(rules, max(count(leaver.hand), rules.leave_points))
    step.put(leaver, status=Status.LEFT, points=points)
    if is_turn or len(step.deal.playing) == 1:
        _go_on(step)


def _go_on(step: Step) -> None:
    """Go on after the player at turn has left the deal."""
    if len(step.deal.playing) == 1:
        laid.end_with_last_player(step)
    else:
        pass_turn(step)
