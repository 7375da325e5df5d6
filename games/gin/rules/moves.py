"""The moves of gin (G4 to G11), and the moves made for players who do not act in time (G16)."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Annotated, Final, Self

from games.cards import Card
from games.engine import moves
from games.engine.base import gettext_noop as _
from games.engine.fields import Within
from games.engine.moves import (
    GROUPS_NOT_YOUR_HAND,
    NOT_A_MELD,
    NOT_YOUR_TURN,
    WRONG_STEP,
    AfterDrawing,
    AnyMove,
    Leave,
    Move,
    MoveRefusal,
    Wire,
    refusal_to_part_with,
)
from games.engine.state import Groups, require
from games.gin.rules.defence import Defence, check_lay_offs, find_best_defence
from games.gin.rules.melding import (
    arrange_eleven,
    count_least_after_discard,
    find_big_gin,
    list_discards_within,
    mask_of,
)
from games.gin.rules.melds import deadwood, meld_kind
from games.gin.rules.ruleset import DECK_SIZE
from games.gin.rules.scoring import end_dead, end_forfeit, end_shown, lay_best
from games.gin.rules.state import Deal, Knocked, KnockKind, LaidHand, Phase, Step, knock_limit

MUST_DRAW_CLOSED: Final = MoveRefusal(
    "must_draw_closed", _("Both have passed: draw from the closed deck.")
)
TOO_MUCH_DEADWOOD: Final = MoveRefusal(
    "too_much_deadwood", _("Your deadwood is more than you may knock with.")
)
NO_BIG_GIN: Final = MoveRefusal(
    "no_big_gin", _("Big gin is not played here: choose a card to discard.")
)
DOES_NOT_FIT: Final = MoveRefusal("does_not_fit", _("That card cannot be laid off there."))

_UPCARD, _TURN, _DEFEND = Phase.UPCARD, Phase.TURN, Phase.DEFEND
# Most groups, and most cards in a group, of a hand of eleven.
HandGroups = Annotated[tuple[Annotated[tuple[Card, ...], Within(1, 11)], ...], Within(0, 11)]
LayOffs = Annotated[tuple[tuple[Card, Annotated[int, Within(0, 10)]], ...], Within(0, 11)]


class Draw(moves.Draw[Step]):
    """Draw from either pile (G5). While the upcard is offered, only that card can be drawn (G4)."""

    def refusal(self, step: Step) -> MoveRefusal | None:
        if self.source == "closed":
            return WRONG_STEP if step.deal.phase is _UPCARD else None
        return MUST_DRAW_CLOSED if step.deal.must_draw_closed else super().refusal(step)

    def apply(self, step: Step) -> None:
        if step.deal.phase is _UPCARD:
            step.set(phase=_TURN)
        super().apply(step)


class PassUpcard(Move[Step]):
    """Pass the upcard (G4)."""

    kind = "pass"
    is_public = True

    @classmethod
    def blocked(cls, step: Step) -> MoveRefusal | None:
        return None if step.deal.phase is _UPCARD else WRONG_STEP

    def apply(self, step: Step) -> None:
        step.end_in_time()
        pass_upcard(step)


def pass_upcard(step: Step) -> None:
    """Pass the upcard on to the dealer. If both have passed, the starter must draw from the closed deck (G4)."""
    is_last = step.deal.turn == len(step.deal.players) - 1
    step.announce("passed", seat=step.deal.at_turn.seat)
    step.begin_turn(phase=_TURN if is_last else _UPCARD, must_draw_closed=is_last)


class Discard(moves.Discard[Step]):
    """Put a card on the open pile (G5)."""

    def apply(self, step: Step) -> None:
        step.end_in_time()
        step.discard(self.card)
        end_turn(step)


def end_turn(step: Step) -> None:
    """Begin the next turn, or end the deal as dead if `wall` cards are left or a limit is reached (G12)."""
    if len(step.deal.closed) <= step.rules.wall or step.has_reached_limit:
        end_dead(step)
    else:
        step.begin_turn(phase=_TURN, must_draw_closed=False)


class Knock(AfterDrawing[Step]):
    """Knock: put `card` face down and lay melds. The other cards are deadwood (G7, G8).

    A `card` of None declares big gin: the melds contain all eleven cards (G9).
    """

    kind = "knock"
    free = ("groups",)
    card: Card | None
    groups: HandGroups

    def refusal(self, step: Step) -> MoveRefusal | None:
        if self.card is None:
            if not step.rules.big_gin_bonus:
                return NO_BIG_GIN
        elif refusal := refusal_to_part_with(step, self.card):
            return refusal
        kept = self._list_kept(step)
        if refusal := _check_melds(kept, self.groups):
            return refusal
        limit = 0 if self.card is None else knock_limit(step.deal.upcard, step.rules)
        return None if deadwood(_list_loose(kept, self.groups)) <= limit else TOO_MUCH_DEADWOOD

    def apply(self, step: Step) -> None:
        """Ask the opponent for an answer to the knock (G10), or end the deal after gin."""
        loose = _list_loose(self._list_kept(step), self.groups)
        kind = (
            KnockKind.BIG_GIN if self.card is None else KnockKind.KNOCK if loose else KnockKind.GIN
        )
        knocked = Knocked(step.player.seat, kind, self.card, self.groups, loose, deadwood(loose))
        step.end_in_time()
        step.put(step.player, groups=(*self.groups, loose) if loose else self.groups)
        step.set(
            phase=_DEFEND,
            due_at=step.now + step.rules.show_seconds * 1000,
            knock=knocked,
            drawn=None,
            drawn_from_open=False,
        )
        step.announce(
            "knocked",
            seat=knocked.seat,
            how=kind,
            groups=self.groups,
            loose=loose,
            points=knocked.points,
        )
        if kind is not KnockKind.KNOCK:
            end_shown(step, lay_best(step.deal.waiting_for))

    def _list_kept(self, step: Step) -> tuple[Card, ...]:
        return tuple(card for card in step.player.hand if card != self.card)

    @classmethod
    def options(cls, step: Step) -> Iterator[Self]:
        """Yield big gin if it is possible, then a knock with each card that allows one (G7, G9).

        Each knock has the melds that leave the least deadwood.
        """
        hand, kept = step.player.hand, step.kept_card
        limit = knock_limit(step.deal.upcard, step.rules)
        if count_least_after_discard(mask_of(hand)) > limit:
            return  # trying every card would take ten times as long
        # These are legal: the solver made the melds, within the limit.
        if step.rules.big_gin_bonus and (all_melded := find_big_gin(hand)) is not None:
            yield cls(None, all_melded.groups)
        for card, melding in list_discards_within(hand, limit):
            if card != kept:
                yield cls(card, melding.groups)


class Defend(Move[Step]):
    """Answer a knock with melds, and lay off cards in the given order (G10)."""

    kind = "defend"
    needs_turn = False
    is_public = True
    free = ("groups", "lay_offs")
    groups: HandGroups
    lay_offs: LayOffs

    @classmethod
    def blocked(cls, step: Step) -> MoveRefusal | None:
        if step.deal.phase is not _DEFEND:
            return WRONG_STEP
        return None if step.deal.waiting_for.seat == step.seat else NOT_YOUR_TURN

    def refusal(self, step: Step) -> MoveRefusal | None:
        hand, laid_off = step.player.hand, [card for card, _ in self.lay_offs]
        if len(set(laid_off)) < len(laid_off) or not set(laid_off) <= set(hand):
            return GROUPS_NOT_YOUR_HAND
        if refusal := _check_melds((card for card in hand if card not in laid_off), self.groups):
            return refusal
        return (
            None if check_lay_offs(require(step.deal.knock).groups, self.lay_offs) else DOES_NOT_FIT
        )

    def apply(self, step: Step) -> None:
        laid_off = {card for card, _ in self.lay_offs}
        kept = (card for card in step.player.hand if card not in laid_off)
        loose = _list_loose(kept, self.groups)
        lay_down(step, Defence(deadwood(loose), self.groups, self.lay_offs, loose))

    @classmethod
    def options(cls, step: Step) -> Iterator[Self]:
        best = find_defence(step.deal)
        yield cls(best.groups, best.lay_offs)


def lay_down(step: Step, answer: Defence) -> None:
    step.announce(
        "defended",
        seat=step.deal.waiting_for.seat,
        groups=answer.groups,
        lay_offs=answer.lay_offs,
        loose=answer.loose,
        points=answer.deadwood,
    )
    end_shown(step, LaidHand(answer.groups, answer.loose, answer.deadwood), answer.lay_offs)


def find_defence(deal: Deal) -> Defence:
    """Return the answer to the knock that leaves the least deadwood (G10)."""
    return find_best_defence(deal.waiting_for.hand, require(deal.knock).groups)


class Arrange(moves.Arrange[Step]):
    groups: HandGroups


MOVES: Final = (Draw, PassUpcard, Discard, Knock, Defend, Arrange, Leave)
WIRE: Final = Wire[AnyMove](MOVES, cards=DECK_SIZE)
move_json = WIRE.write


# --- Play for a player whose time has run out or who has left (G16).


def miss_turn(step: Step) -> None:
    """Play the turn of a player whose clock has run out: pass the upcard, or draw a card and discard it (G16)."""
    if step.deal.phase is _UPCARD:
        pass_upcard(step)
        return
    if step.deal.drawn is None:
        step.draw_closed()
    return_drawn_card(step)
    end_turn(step)


def forfeit(step: Step, seat: int) -> None:
    """Forfeit the deal for this seat. A card that the opponent has drawn stays in their hand."""
    if step.deal.at_turn.seat == seat:
        return_drawn_card(step)
    end_forfeit(step, seat)


def return_drawn_card(step: Step) -> None:
    """Discard the card drawn in this turn.

    If that card may not go back (G5), discard the card whose discard leaves the least deadwood.
    """
    card = step.deal.drawn
    if card is not None and card == step.kept_card:
        card = arrange_eleven(step.deal.at_turn.hand, kept=card).discard
    if card is not None:
        step.discard(card)


def _check_melds(kept: Iterable[Card], groups: Groups) -> MoveRefusal | None:
    """Check that each group is a meld of cards in `kept`, and that no card is used twice."""
    used = list(chain.from_iterable(groups))
    if len(set(used)) < len(used) or not set(used) <= set(kept):
        return GROUPS_NOT_YOUR_HAND
    return None if all(map(meld_kind, groups)) else NOT_A_MELD


def _list_loose(kept: Iterable[Card], groups: Groups) -> tuple[Card, ...]:
    used = set(chain.from_iterable(groups))
    return tuple(sorted(card for card in kept if card not in used))
