"""The moves of 500 Rum (F5 to F9), and the turns played for players who do not act in time (F15, F16)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Annotated, Any, ClassVar, Final, Literal, Self, TypeAlias

from games.cards import Card
from games.engine import laid, laying, moves
from games.engine.base import gettext_noop as _
from games.engine.fields import Within
from games.engine.laid import How
from games.engine.laid import Meld as Made
from games.engine.laying import cap_points
from games.engine.moves import AnyMove, Leave, Move, MoveRefusal, PilesStep, Wire
from games.engine.state import add_cards
from games.five_hundred.rules.laying import is_usable, list_groups
from games.five_hundred.rules.ruleset import DECK_SIZE, FiveHundredRules

_MOST: Final = 104
HandGroups = Annotated[tuple[Annotated[tuple[Card, ...], Within(1, _MOST)], ...], Within(0, _MOST)]

NOT_IN_PILE: Final = MoveRefusal("not_in_pile", _("That card is not in the open pile."))
NOT_USABLE: Final = MoveRefusal(
    "not_usable", _("You may take only a card that you can lay down at once.")
)
USE_TAKEN_CARD: Final = MoveRefusal(
    "use_taken_card", _("First lay down the card that you took from the open pile.")
)


class Deal(laid.Deal[laid.Player], kw_only=True):
    new_turn: ClassVar[Mapping[str, Any]] = {**laid.Deal.new_turn, "must_use": None}

    # A card taken from the open pile that has to be laid before anything else (F6).
    must_use: Card | None = None


Step: TypeAlias = PilesStep[laid.Match[FiveHundredRules, Deal], Deal, laid.Player, FiveHundredRules]


class Draw(moves.Draw[Step]):
    """Take the top card of the closed deck (F5)."""

    source: Literal["closed"]

    @classmethod
    def options(cls, step: Step) -> Iterator[Self]:
        yield cls("closed")


class Take(Move[Step]):
    """Take a card from the open pile with all cards above it. The card must be laid at once (F6)."""

    kind = "take"
    card: Card

    @classmethod
    def blocked(cls, step: Step) -> MoveRefusal | None:
        return Draw.blocked(step)

    def refusal(self, step: Step) -> MoveRefusal | None:
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
        step.put(add_cards(player, *cards), taken=(*player.taken, *cards))
        step.set(open_pile=pile[:place], drawn=self.card, drawn_from_open=True, must_use=must_use)
        step.announce("drawn", seat=player.seat, source="open", card=self.card, cards=cards)

    @classmethod
    def options(cls, step: Step) -> Iterator[Self]:
        moves = (cls(card) for card in step.deal.open_pile)
        return (move for move in moves if move.refusal(step) is None)

    def _is_free(self, step: Step) -> bool:
        return step.rules.free_top_card and self.card == step.deal.open_pile[-1]


class Course(laying.Course[Step]):
    def groups(self, step: Step) -> Iterable[tuple[Card, ...]]:
        return list_groups(step.player.hand, step.rules.shape, prefer=step.deal.must_use)

    def refusal_to_lay(self, step: Step, cards: Sequence[Card]) -> MoveRefusal | None:
        """Check also that a card just taken from the open pile is among the cards to be laid (F6)."""
        if refusal := laying.refusal_to_lay(step, cards):
            return refusal
        return None if step.deal.must_use in (None, *cards) else USE_TAKEN_CARD

    def go_on_after_laying(self, step: Step) -> None:
        step.set(must_use=None)
        self.end_if_out(step)

    def can_draw(self, step: Step) -> bool:
        return bool(step.deal.closed)

    def end_out(self, step: Step) -> None:
        self.end_counted(step, How.OUT)

    def end_counted(self, step: Step, how: How) -> None:
        """End the deal: the best result wins, and each other player loses the difference from it (F11, F12)."""
        nets = {player.seat: net_of(step.deal, player, step.rules) for player in step.deal.playing}
        best = max(nets.values())
        points = {seat: cap_points(step.rules, best - net) for seat, net in nets.items()}
        laying.end_deal(step, how, points, [seat for seat, net in nets.items() if net == best])

    def loss(self, step: Step, player: laid.Player) -> int:
        """Return how far a player's result is behind the most points that another player has laid.

        The others' hands are not counted, because they stay secret.
        """
        deal, rules = step.deal, step.rules
        most = max(
            count_laid_by(deal.melds, other.seat, rules)
            for other in deal.playing
            if other != player
        )
        return max(0, most - net_of(deal, player, rules))

    def miss_turn(self, step: Step) -> None:
        """Play the rest of a turn for a player whose clock has run out (F15).

        If a card must be laid, lay it. If no card has been drawn, draw one. Then discard.
        """
        step.act_for(step.deal.at_turn)
        if step.deal.must_use is not None:
            move, *_others = chain(Meld.options(step), LayOff.options(step))
            move.apply(step)
            if step.deal.is_over:
                return
        if step.deal.drawn is None:
            step.draw_closed()
        cards = laying.list_discardable(step)
        drawn = step.deal.drawn
        dearest = max(cards, key=lambda card: (step.rules.points_of(card), -card))
        step.discard(drawn if drawn in cards else dearest)
        self.end_turn(step)


COURSE: Final = Course()


class Meld(laying.Meld[Step]):
    """Lay one or more new melds on the table (F5)."""

    course = COURSE
    groups: HandGroups


class LayOff(laying.LayOff[Step]):
    """Add cards to a meld on the table (F7)."""

    course = COURSE
    # Two packs cannot make more melds of three cards.
    meld: Annotated[int, Within(0, _MOST // 3 - 1)]
    cards: Annotated[tuple[Card, ...], Within(0, _MOST)]


class Discard(laying.Discard[Step]):
    """Put a card on the open pile (F8)."""

    course = COURSE

    @classmethod
    def blocked(cls, step: Step) -> MoveRefusal | None:
        return super().blocked(step) or (USE_TAKEN_CARD if step.deal.must_use is not None else None)


class Arrange(moves.Arrange[Step]):
    groups: HandGroups


MOVES: Final = (Draw, Take, Meld, LayOff, Discard, Arrange, Leave)
WIRE: Final = Wire[AnyMove](MOVES, cards=DECK_SIZE)


# --- Points.


def net_of(deal: Deal, player: laid.Player, rules: FiveHundredRules) -> int:
    """Return the points that a player has laid, less those in hand (F11)."""
    return count_laid_by(deal.melds, player.seat, rules) - sum(map(rules.points_of, player.hand))


def count_laid_by(melds: Iterable[Made], seat: int, rules: FiveHundredRules) -> int:
    """Return the points of the cards that a seat has laid, on any meld (F7)."""
    return sum(
        points
        for meld in melds
        for by, points in zip(meld.by, rules.count_points_laid(meld), strict=True)
        if by == seat
    )
