"""The moves of Contract Rummy (C6 to C13). Their consequences are in `turns`."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Annotated, ClassVar, Final, Self

from games.cards import CARDS, Card
from games.contract.rules import turns
from games.contract.rules.deal import Step
from games.contract.rules.melds import (
    CONTRACT_NOT_MET,
    LaidCards,
    LaidMeld,
    To,
    add_to_meld,
    as_meld,
    contract_refusal,
    fits_somewhere,
    list_faces_onto,
    swap_joker,
)
from games.contract.rules.missing import find_melds_for
from games.contract.rules.ruleset import LARGEST_DECK, MOST_MELDS, RUN, SEATS
from games.engine import laying, moves
from games.engine.base import gettext_noop as _
from games.engine.fields import Within
from games.engine.laid import Meld
from games.engine.laying import DOES_NOT_FIT, NO_SUCH_MELD
from games.engine.moves import (
    NOT_A_MELD,
    WRONG_STEP,
    AfterDrawing,
    AnyMove,
    Leave,
    Move,
    MoveRefusal,
    Wire,
)
from games.engine.state import add_cards, require

CONTRACT_ALREADY_MET: Final = MoveRefusal(
    "contract_already_met", _("You have laid the contract already.")
)
NOT_IN_THIS_TURN: Final = MoveRefusal(
    "not_in_this_turn", _("You may lay off from your next turn on.")
)
NOT_ASKED: Final = MoveRefusal("not_asked", _("You are not being asked about this card."))

WORD_FOR_RUN: Final = RUN
HandGroups = Annotated[
    tuple[Annotated[tuple[Card, ...], Within(1, LARGEST_DECK)], ...], Within(0, LARGEST_DECK)
]
# The index of a meld on the table, from 0.
MeldIndex = Annotated[int, Within(0, MOST_MELDS * SEATS[-1] - 1)]


class Draw(moves.Draw[Step]):
    """Draw from either pile. A player who draws from the closed deck refuses the upcard (C6)."""

    def apply(self, step: Step) -> None:
        step.put(step.player, has_played=True)
        if self.source == "open":
            step.draw_open()
        else:
            # The clock starts again with the closed card.
            step.charge_overrun()
            turns.refuse_upcard(step)


class _Answer(Move[Step]):
    """Answer to the sale of an upcard (C7)."""

    needs_turn = False
    buys: ClassVar[bool]

    @classmethod
    def blocked(cls, step: Step) -> MoveRefusal | None:
        if step.deal.window is None:
            return WRONG_STEP
        return None if step.seat in step.deal.window.waiting else NOT_ASKED

    def apply(self, step: Step) -> None:
        turns.answer(step, step.player.seat, buys=self.buys)


class Buy(_Answer):
    """Ask for the upcard that the current player has refused (C7)."""

    kind = "buy"
    buys = True


class PassBuy(_Answer):
    """Decline to buy the upcard (C7)."""

    kind = "pass"
    buys = False


class NeverBuy(Move[Step]):
    """Decline every upcard of this deal in advance, or stop doing so. Other players are not told (C7)."""

    kind = "never_buy"
    needs_turn = False
    is_timed = False
    is_anytime = True
    on: bool

    def apply(self, step: Step) -> None:
        step.put(step.player, never_buy=self.on)
        if self.on:
            turns.pass_for(step, step.player.seat)

    @classmethod
    def options(cls, step: Step) -> Iterator[Self]:
        yield cls(not step.player.never_buy)


class LayContract(AfterDrawing[Step]):
    """Lay all melds of the contract at once, in any order (C9)."""

    kind = "contract"
    free = ("melds",)
    melds: Annotated[tuple[LaidCards, ...], Within(0, MOST_MELDS)]

    def refusal(self, step: Step) -> MoveRefusal | None:
        deal, rules = step.deal, step.rules
        cards = tuple(chain.from_iterable(one.cards for one in self.melds))
        if refusal := laying.refusal_to_lay(step, cards):
            return refusal
        if step.player.laid_in is not None:
            return CONTRACT_ALREADY_MET
        melds = self._make_melds(step)
        if len(melds) < len(self.melds):
            return NOT_A_MELD
        if refusal := contract_refusal(melds, deal.contract, rules, is_whole=deal.is_whole):
            return refusal
        rest = laying.list_rest(step, cards)
        if deal.is_whole:
            return CONTRACT_NOT_MET if rest else None
        return _refusal_of_rest(
            step, [*deal.melds, *melds] if rules.lay_off_same_turn else [], rest
        )

    def apply(self, step: Step) -> None:
        laying.lay_melds(step, self._make_melds(step), WORD_FOR_RUN, event="contract_laid")
        turns.end_if_out(step)

    def _make_melds(self, step: Step) -> list[Meld]:
        """Return the valid melds among those that the player wants to lay."""
        made = (as_meld(one, step.rules, seat=step.player.seat) for one in self.melds)
        return [meld for meld in made if meld is not None]

    @classmethod
    def options(cls, step: Step) -> Iterator[Self]:
        if step.player.laid_in is not None:
            return
        melds = find_melds_for(step.deal, step.rules, step.player)
        if melds is not None and (move := cls(melds)).refusal(step) is None:
            yield move


class LayOff(AfterDrawing[Step]):
    """Add cards to a meld on the table (C10). `meld` is its number, from 0 in the order in which melds were laid."""

    kind = "lay_off"
    free = ("laid",)
    meld: MeldIndex
    laid: LaidCards

    def refusal(self, step: Step) -> MoveRefusal | None:
        lying, cards = step.deal.melds, self.laid.cards
        if refusal := laying.refusal_to_lay(step, cards) or _refusal_before_next_turn(step):
            return refusal
        if self.meld >= len(lying):
            return NO_SUCH_MELD
        grown = add_to_meld(lying[self.meld], self.laid, step.rules)
        if grown is None:
            return DOES_NOT_FIT
        then = [*lying[: self.meld], grown, *lying[self.meld + 1 :]]
        return _refusal_of_rest(step, then, laying.list_rest(step, cards))

    def apply(self, step: Step) -> None:
        meld, seat = step.deal.melds[self.meld], step.player.seat
        grown = require(add_to_meld(meld, self.laid, step.rules, seat=seat))
        laying.lay_onto(step, self.meld, grown, self.laid.cards, self.laid.faces)
        turns.end_if_out(step)

    @classmethod
    def options(cls, step: Step) -> Iterator[Self]:
        if _refusal_before_next_turn(step) is not None:
            return
        for number, meld in enumerate(step.deal.melds):
            for card in step.player.hand:
                for face in list_faces_onto(meld, card, step.rules):
                    move = cls(number, LaidMeld((card,), (face,)))
                    if move.refusal(step) is None:
                        yield move


class SwapJoker(AfterDrawing[Step]):
    """Lay the card that a joker in a run stands for (C11).

    The joker goes into the player's hand or to an end of its run.
    """

    kind = "swap_joker"
    meld: MeldIndex
    card: Card
    to: To

    def refusal(self, step: Step) -> MoveRefusal | None:
        lying, cards = step.deal.melds, (self.card,)
        if refusal := laying.refusal_to_lay(step, cards) or _refusal_before_next_turn(step):
            return refusal
        if self.meld >= len(lying):
            return NO_SUCH_MELD
        change = swap_joker(lying[self.meld], self.card, self.to, seat=step.player.seat)
        if isinstance(change, MoveRefusal):
            return change
        meld, joker = change
        rest = laying.list_rest(step, cards)
        then = [*lying[: self.meld], meld, *lying[self.meld + 1 :]]
        return _refusal_of_rest(step, then, (*rest, joker) if self.to == "hand" else rest)

    def apply(self, step: Step) -> None:
        lying = step.deal.melds[self.meld]
        change = swap_joker(lying, self.card, self.to, seat=step.player.seat)
        assert not isinstance(change, MoveRefusal)  # noqa: S101 - it has been checked
        meld, joker = change
        step.announce(
            "swapped_joker",
            seat=step.player.seat,
            meld=self.meld,
            card=self.card,
            joker=joker,
            to=self.to,
        )
        laying.put_on_meld(step, self.meld, meld, (self.card,))
        if self.to == "hand":
            step.put(add_cards(step.player, joker), taken=(*step.player.taken, joker))
        turns.end_if_out(step)

    @classmethod
    def options(cls, step: Step) -> Iterator[Self]:
        if _refusal_before_next_turn(step) is not None:
            return
        for number, meld in enumerate(step.deal.melds):
            if meld.is_set:
                continue
            for card in step.player.hand:
                if meld.find_joker_for(card.face) is None:
                    continue
                for move in (cls(number, card, to) for to in ("hand", "front", "back")):
                    if move.refusal(step) is None:
                        yield move


class Discard(laying.Discard[Step]):
    """Put a card on the open pile (C13). A turn finished in time resets the missed turns (C18)."""

    def apply(self, step: Step) -> None:
        step.end_in_time()
        step.put(step.player, has_played=True)
        step.discard(self.card)
        turns.end_turn(step)


class Arrange(moves.Arrange[Step]):
    groups: HandGroups


MOVES: Final = (
    *(Draw, Buy, PassBuy, LayContract, LayOff, SwapJoker, Discard),
    *(NeverBuy, Arrange, Leave),
)
WIRE: Final = Wire[AnyMove](MOVES, cards=len(CARDS))
move_json = WIRE.write


def _refusal_before_next_turn(step: Step) -> MoveRefusal | None:
    """Check that the player laid the contract in an earlier turn (C9 to C11)."""
    laid_in = step.player.laid_in
    if laid_in is None:
        return CONTRACT_NOT_MET
    is_same = laid_in == step.deal.turn_number
    return NOT_IN_THIS_TURN if is_same and not step.rules.lay_off_same_turn else None


def _refusal_of_rest(
    step: Step, lying: Sequence[Meld], rest: tuple[Card, ...]
) -> MoveRefusal | None:
    fits = len(rest) == 1 and fits_somewhere(rest[0], lying, step.rules)
    return laying.refusal_of_rest(step.rules, step.kept_card, rest, fits=fits)
