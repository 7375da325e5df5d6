"""The moves of 500 Rum (F5 to F9), and the play for absent players (F15, F16)."""

from collections.abc import Iterator
from itertools import chain
from typing import Annotated, Any, Final, Literal

from games.cards import Card
from games.engine import laid, moves
from games.engine.laid import DOES_NOT_FIT, NO_SUCH_MELD, How, Status
from games.engine.melds import as_meld, laid_onto
from games.engine.moves import AfterDrawing, Leave, Move
from games.engine.piles import holding
from games.engine.refusals import NOT_A_MELD, Refusal
from games.engine.step import Step
from games.engine.wire import Wire, Within
from games.engine.wording import gettext_noop as _
from games.five_hundred.rules.laying import groups_in, is_usable
from games.five_hundred.rules.ruleset import DECK_SIZE, FiveHundredRules

WORD_FOR_RUN: Final = "sequence"
_MOST: Final = 104
HandGroups = Annotated[tuple[Annotated[tuple[Card, ...], Within(1, _MOST)], ...], Within(0, _MOST)]

NOT_IN_PILE: Final = Refusal("not_in_pile", _("That card does not lie in the open pile."))
NOT_USABLE: Final = Refusal(
    "not_usable", _("You may take only a card that you can lay down at once.")
)
USE_TAKEN_CARD: Final = Refusal(
    "use_taken_card", _("First lay down the card that you took from the open pile.")
)


class Draw(moves.Draw):
    """Take the top card of the closed deck (F5)."""

    source: Literal["closed"]

    @classmethod
    def options(cls, step: Step) -> Iterator[Any]:
        yield cls("closed")


class Take(Move):
    """Take a card out of the open pile with all cards above it, and lay it at once (F6)."""

    kind = "take"
    card: Card

    @classmethod
    def blocked(cls, step: Step) -> Refusal | None:
        return Draw.blocked(step)

    def refusal(self, step: Step) -> Refusal | None:
        pile = step.deal.open_pile
        if self.card not in pile:
            return NOT_IN_PILE
        if self._is_free(step):
            return None
        above = pile[pile.index(self.card) + 1 :]
        hand = (*step.player.hand, *above)
        return None if is_usable(self.card, hand, step.deal.melds, step.rules.shape) else NOT_USABLE

    def apply(self, step: Step) -> None:
        player, pile = step.player, step.deal.open_pile
        place = pile.index(self.card)
        cards = pile[place:]
        must_use = None if self._is_free(step) else self.card
        step.put(holding(player, *cards), taken=(*player.taken, *cards))
        step.set(open_pile=pile[:place], drawn=self.card, drawn_from_open=True, must_use=must_use)
        step.tell("drawn", seat=player.seat, source="open", card=self.card, cards=cards)

    @classmethod
    def options(cls, step: Step) -> Iterator[Any]:
        moves = (cls(card) for card in step.deal.open_pile)
        return (move for move in moves if move.refusal(step) is None)

    def _is_free(self, step: Step) -> bool:
        return bool(step.rules.free_top_card and self.card == step.deal.open_pile[-1])


class Meld(AfterDrawing):
    """Lay one or more new melds on the table (F7)."""

    kind = "meld"
    free = ("groups",)
    groups: HandGroups

    def refusal(self, step: Step) -> Refusal | None:
        cards = tuple(chain.from_iterable(self.groups))
        if refusal := _refusal_to_lay(step, cards):
            return refusal
        if None in [as_meld(group, step.rules.shape) for group in self.groups]:
            return NOT_A_MELD
        return _refusal_of_rest(step, cards)

    def apply(self, step: Step) -> None:
        made = (as_meld(group, step.rules.shape, seat=step.player.seat) for group in self.groups)
        laid.lay_melds(step, [meld for meld in made if meld is not None], WORD_FOR_RUN)
        step.set(must_use=None)
        _end_if_out(step)

    @classmethod
    def options(cls, step: Step) -> Iterator[Any]:
        groups = groups_in(step.player.hand, step.rules.shape, prefer=step.deal.must_use)
        return (move for move in (cls((g,)) for g in groups) if move.refusal(step) is None)


class LayOff(AfterDrawing):
    """Add cards to a meld on the table; `meld` counts from 0 in the order of laying (F7)."""

    kind = "lay_off"
    free = ("cards",)
    # There are no more sequences and sets of three in two packs.
    meld: Annotated[int, Within(0, _MOST // 3 - 1)]
    cards: Annotated[tuple[Card, ...], Within(0, _MOST)]

    def refusal(self, step: Step) -> Refusal | None:
        if refusal := _refusal_to_lay(step, self.cards):
            return refusal
        if self.meld >= len(step.deal.melds):
            return NO_SUCH_MELD
        if laid_onto(step.deal.melds[self.meld], self.cards, step.rules.shape) is None:
            return DOES_NOT_FIT
        return _refusal_of_rest(step, self.cards)

    def apply(self, step: Step) -> None:
        meld, shape = step.deal.melds[self.meld], step.rules.shape
        grown = laid_onto(meld, self.cards, shape, seat=step.player.seat)
        assert grown is not None  # noqa: S101 - it has been checked
        laid.lay_onto(step, self.meld, grown, self.cards, [card.face for card in self.cards])
        step.set(must_use=None)
        _end_if_out(step)

    @classmethod
    def options(cls, step: Step) -> Iterator[Any]:
        for number in range(len(step.deal.melds)):
            for card in step.player.hand:
                move = cls(number, (card,))
                if move.refusal(step) is None:
                    yield move


class Discard(laid.Discard):
    """Put a card on the open pile (F8)."""

    @classmethod
    def blocked(cls, step: Step) -> Refusal | None:
        return super().blocked(step) or (USE_TAKEN_CARD if step.deal.must_use is not None else None)

    def apply(self, step: Step) -> None:
        step.end_in_time()
        step.discard(self.card)
        end_turn(step)


class Arrange(moves.Arrange):
    groups: HandGroups


MOVES: Final = (Draw, Take, Meld, LayOff, Discard, Arrange, Leave)
WIRE: Final = Wire[Move](MOVES, cards=DECK_SIZE)


def _refusal_to_lay(step: Step, cards: tuple[Card, ...]) -> Refusal | None:
    """Check that the player holds the cards, and that a card just taken is one of them (F6)."""
    if refusal := laid.refusal_to_lay(step, cards):
        return refusal
    return None if step.deal.must_use in (None, *cards) else USE_TAKEN_CARD


def _refusal_of_rest(step: Step, cards: tuple[Card, ...]) -> Refusal | None:
    return laid.refusal_of_rest(step.rules, step.kept_card, laid.rest_of(step, cards), fits=False)


# --- The end of a turn and of a deal.


def end_turn(step: Step) -> None:
    """End the turn, and the deal if the player has no cards left (F8)."""
    if not _end_if_out(step):
        pass_turn(step)


def pass_turn(step: Step) -> None:
    """Begin the next turn, or end a deal that is at its limit or has no closed card (F9)."""
    if step.has_reached_limit:
        end_deal(step, How.LIMIT)
    elif not step.deal.closed:
        end_deal(step, How.BLOCKED)
    else:
        step.begin_turn(laid=0)


def _end_if_out(step: Step) -> bool:
    if step.deal.at_turn.hand:
        return False
    end_deal(step, How.OUT)
    return True


def end_deal(step: Step, how: How) -> None:
    """End the deal with a win for the best result. The others lose the difference to it (F11, F12)."""
    nets = {player.seat: net_of(step.deal, player, step.rules) for player in step.deal.playing}
    best = max(nets.values())
    points = {seat: laid.capped(step.rules, best - net) for seat, net in nets.items()}
    laid.end_deal(step, how, points, [seat for seat, net in nets.items() if net == best])


def net_of(deal: Any, player: Any, rules: FiveHundredRules) -> int:
    """Return the points that a player has laid, less those in hand (F11)."""
    return laid_by(deal, player.seat, rules) - sum(map(rules.points_of, player.hand))


def laid_by(deal: Any, seat: int, rules: FiveHundredRules) -> int:
    """Return the points of the cards that a seat has laid, on any meld (F7)."""
    return sum(
        points
        for meld in deal.melds
        for by, points in zip(meld.by, rules.points_laid(meld), strict=True)
        if by == seat
    )


# --- Missed turns and leaving (F15, F16).


def miss_turn(step: Step) -> None:
    """Draw and discard for a player whose clock has run out, or lay the card they took (F15)."""
    step.act_for(step.deal.at_turn)
    if step.deal.must_use is not None:
        laying, *_others = chain(Meld.options(step), LayOff.options(step))
        laying.apply(step)
        if step.deal.is_over:
            return
    if step.deal.drawn is None:
        step.draw_closed()
    cards = laid.discardable(step)
    drawn = step.deal.drawn
    dearest = max(cards, key=lambda card: (step.rules.points_of(card), -card))
    step.discard(drawn if drawn in cards else dearest)
    end_turn(step)


def drop_out(step: Step) -> None:
    """Drop the player from the deal, unless their discard is their last card (F15)."""
    laid.return_drawn_card(step)
    if _end_if_out(step):
        return
    player = step.deal.at_turn
    points = laid.capped(step.rules, _behind(step, player))
    step.put(player, status=Status.DROPPED, points=points)
    step.tell("dropped", seat=player.seat, points=points)
    _go_on(step)


def leave(step: Step) -> None:
    """Count what a leaving player is behind, at least `leave_points` (F16)."""
    is_turn = step.deal.at_turn.seat == step.seat
    if is_turn:
        laid.return_drawn_card(step)
    points = laid.capped(step.rules, max(_behind(step, step.player), step.rules.leave_points))
    step.put(step.player, status=Status.LEFT, points=points)
    if is_turn or len(step.deal.playing) == 1:
        _go_on(step)


def _behind(step: Step, player: Any) -> int:
    """Return how far a player is behind the most that another one has laid. Hands stay secret."""
    deal, rules = step.deal, step.rules
    most = max(laid_by(deal, other.seat, rules) for other in deal.playing if other != player)
    return max(0, most - net_of(deal, player, rules))


def _go_on(step: Step) -> None:
    """Go on after the player at turn has left the deal."""
    if len(step.deal.playing) == 1:
        laid.end_with_last_player(step)
    else:
        pass_turn(step)
