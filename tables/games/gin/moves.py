"""The moves of gin: what each one is, when it is refused, and what it does (G4 to G11, G16)."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Annotated, Any, Final

from tables.games.cards import Card
from tables.games.engine import moves
from tables.games.engine.codec import Groups
from tables.games.engine.moves import AfterDrawing, Leave, Move, refusal_to_part_with
from tables.games.engine.refusals import (
    GROUPS_NOT_YOUR_HAND,
    NOT_A_MELD,
    NOT_YOUR_TURN,
    WRONG_STEP,
    Refusal,
)
from tables.games.engine.step import Step
from tables.games.engine.wire import Wire, Within
from tables.games.gin.advice import best_of
from tables.games.gin.deal import Deal, Knocked, KnockKind, Laid, Phase, knock_limit
from tables.games.gin.defence import Defence, best_defence, check_lay_offs
from tables.games.gin.melding import arrange_eleven, big_gin, discards_within
from tables.games.gin.melds import deadwood, meld_kind
from tables.games.gin.rulesets import DECK_SIZE
from tables.games.gin.scoring import best_laid, end_dead, end_forfeit, end_shown
from tables.games.wording import gettext_noop as _

MUST_DRAW_CLOSED: Final = Refusal(
    "must_draw_closed", _("Both have passed: draw from the closed deck.")
)
TOO_MUCH_DEADWOOD: Final = Refusal(
    "too_much_deadwood", _("Your deadwood is more than you may knock with.")
)
NO_BIG_GIN: Final = Refusal(
    "no_big_gin", _("Big gin is not played here: choose a card to put down.")
)
DOES_NOT_FIT: Final = Refusal("does_not_fit", _("That card cannot be laid off there."))

# As many groups, and cards in one, as a hand of eleven can have.
HandGroups = Annotated[tuple[Annotated[tuple[Card, ...], Within(1, 11)], ...], Within(0, 11)]
LayOffs = Annotated[tuple[tuple[Card, Annotated[int, Within(0, 10)]], ...], Within(0, 11)]


class Draw(moves.Draw):
    """Take a card from either pile (G5); while the upcard is offered only that one (G4)."""

    def refusal(self, step: Step) -> Refusal | None:
        if self.source == "closed":
            return WRONG_STEP if step.deal.phase is Phase.UPCARD else None
        return MUST_DRAW_CLOSED if step.deal.must_draw_closed else super().refusal(step)

    def apply(self, step: Step) -> None:
        step.set(phase=Phase.TURN)
        super().apply(step)


class Pass(Move):
    """Let the upcard go (G4)."""

    kind = "pass"
    is_public = True

    @classmethod
    def blocked(cls, step: Step) -> Refusal | None:
        return step.not_at_turn() or (None if step.deal.phase is Phase.UPCARD else WRONG_STEP)

    def apply(self, step: Step) -> None:
        step.end_in_time()
        pass_upcard(step)


def pass_upcard(step: Step) -> None:
    """G4: the dealer is asked next; when both have passed the other must draw."""
    is_last = step.deal.turn == len(step.deal.players) - 1
    step.tell("passed", seat=step.deal.at_turn.seat)
    step.begin_turn(phase=Phase.TURN if is_last else Phase.UPCARD, must_draw_closed=is_last)


class Discard(moves.Discard):
    """Put a card on the open pile (G5)."""

    def apply(self, step: Step) -> None:
        step.end_in_time()
        step.discard(self.card)
        end_turn(step)


def end_turn(step: Step) -> None:
    """G12: at the wall and at the limits of a deal nobody draws any more."""
    if len(step.deal.closed) <= step.rules.wall or step.has_reached_limit:
        end_dead(step)
    else:
        step.begin_turn(phase=Phase.TURN, must_draw_closed=False)


class Knock(AfterDrawing):
    """Put `card` face down and lay melds; what is in none is deadwood (G7, G8).

    None as the card is big gin: the melds hold all eleven cards (G9).
    """

    kind = "knock"
    free = ("groups",)
    card: Card | None
    groups: HandGroups

    def refusal(self, step: Step) -> Refusal | None:
        if self.card is None:
            if not step.rules.big_gin_bonus:
                return NO_BIG_GIN
        elif refusal := refusal_to_part_with(step, self.card):
            return refusal
        kept = self._kept(step)
        if refusal := _check_melds(kept, self.groups):
            return refusal
        limit = 0 if self.card is None else knock_limit(step.deal.upcard, step.rules)
        return None if deadwood(_loose(kept, self.groups)) <= limit else TOO_MUCH_DEADWOOD

    def apply(self, step: Step) -> None:
        """G10: the other one is asked, unless it is gin: then the deal is over."""
        loose = _loose(self._kept(step), self.groups)
        kind = (
            KnockKind.BIG_GIN if self.card is None else KnockKind.KNOCK if loose else KnockKind.GIN
        )
        knocked = Knocked(step.player.seat, kind, self.card, self.groups, loose, deadwood(loose))
        step.end_in_time()
        step.put(step.player, groups=(*self.groups, loose) if loose else self.groups)
        step.set(
            phase=Phase.DEFEND,
            due_at=step.now + step.rules.show_seconds * 1000,
            knock=knocked,
            drawn=None,
            drawn_from_open=False,
        )
        step.tell(
            "knocked",
            seat=knocked.seat,
            how=kind,
            groups=self.groups,
            loose=loose,
            points=knocked.points,
        )
        if kind is not KnockKind.KNOCK:
            end_shown(step, best_laid(step.deal.waiting_for))

    def _kept(self, step: Step) -> tuple[Card, ...]:
        return tuple(card for card in step.player.hand if card != self.card)

    @classmethod
    def options(cls, step: Step) -> Iterator[Any]:
        """G7, G9: every card to knock with, each with the melds of least deadwood."""
        hand, kept = step.player.hand, step.kept_card
        limit = knock_limit(step.deal.upcard, step.rules)
        if best_of(hand, kept).deadwood > limit:
            return  # trying every card would take ten times as long
        # What is offered here is legal: the melds are the solver's, and within the limit.
        if step.rules.big_gin_bonus and (all_melded := big_gin(hand)) is not None:
            yield cls(None, all_melded.groups)
        for card, melding in discards_within(hand, limit):
            if card != kept:
                yield cls(card, melding.groups)


class Defend(Move):
    """Answer a knock (G10): one's own melds, and cards laid off in this order."""

    kind = "defend"
    needs_turn = False
    is_public = True
    free = ("groups", "lay_offs")
    groups: HandGroups
    lay_offs: LayOffs

    @classmethod
    def blocked(cls, step: Step) -> Refusal | None:
        if step.deal.phase is not Phase.DEFEND:
            return WRONG_STEP
        return None if step.deal.waiting_for.seat == step.seat else NOT_YOUR_TURN

    def refusal(self, step: Step) -> Refusal | None:
        hand, laid_off = step.player.hand, [card for card, _ in self.lay_offs]
        if len(set(laid_off)) < len(laid_off) or not set(laid_off) <= set(hand):
            return GROUPS_NOT_YOUR_HAND
        if refusal := _check_melds((card for card in hand if card not in laid_off), self.groups):
            return refusal
        return None if check_lay_offs(step.deal.knock.groups, self.lay_offs) else DOES_NOT_FIT

    def apply(self, step: Step) -> None:
        laid_off = {card for card, _ in self.lay_offs}
        kept = (card for card in step.player.hand if card not in laid_off)
        loose = _loose(kept, self.groups)
        lay_down(step, Defence(deadwood(loose), self.groups, self.lay_offs, loose))

    @classmethod
    def options(cls, step: Step) -> Iterator[Any]:
        best = defence_of(step.deal)
        yield cls(best.groups, best.lay_offs)


def lay_down(step: Step, answer: Defence) -> None:
    step.tell(
        "defended",
        seat=step.deal.waiting_for.seat,
        groups=answer.groups,
        lay_offs=answer.lay_offs,
        loose=answer.loose,
        points=answer.deadwood,
    )
    end_shown(step, Laid(answer.groups, answer.loose, answer.deadwood), answer.lay_offs)


def defence_of(deal: Deal) -> Defence:
    """The best answer to the knock; it is laid for a player who does not answer (G10)."""
    assert deal.knock is not None  # noqa: S101 - the phase says that there is one
    return best_defence(deal.waiting_for.hand, deal.knock.groups)


class Arrange(moves.Arrange):
    groups: HandGroups


MOVES: Final = (Draw, Pass, Discard, Knock, Defend, Arrange, Leave)
WIRE: Final = Wire[Move](MOVES, cards=DECK_SIZE)
move_json = WIRE.write


# --- Played for a player who is silent or has left (G16).


def miss_turn(step: Step) -> None:
    """A pass, or a card drawn and discarded."""
    if step.deal.phase is Phase.UPCARD:
        pass_upcard(step)
        return
    if step.deal.drawn is None:
        step.draw_closed()
    return_drawn_card(step)
    end_turn(step)


def forfeit(step: Step, seat: int) -> None:
    """Lose the deal. A card that the winner has drawn stays with them."""
    if step.deal.at_turn.seat == seat:
        return_drawn_card(step)
    end_forfeit(step, seat)


def return_drawn_card(step: Step) -> None:
    """The card drawn in this turn is discarded; where it may not go back (G5), the best other."""
    card = step.deal.drawn
    if card is not None and card == step.kept_card:
        card = arrange_eleven(step.deal.at_turn.hand, kept=card).discard
    if card is not None:
        step.discard(card)


def _check_melds(kept: Iterable[Card], groups: Groups) -> Refusal | None:
    """Every group is a meld of these cards, each of which is in one at the most."""
    used = list(chain.from_iterable(groups))
    if len(set(used)) < len(used) or not set(used) <= set(kept):
        return GROUPS_NOT_YOUR_HAND
    return None if all(map(meld_kind, groups)) else NOT_A_MELD


def _loose(kept: Iterable[Card], groups: Groups) -> tuple[Card, ...]:
    used = set(chain.from_iterable(groups))
    return tuple(sorted(card for card in kept if card not in used))
