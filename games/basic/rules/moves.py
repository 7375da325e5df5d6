"""The moves of basic rummy (B5 to B8), and the turns played for players who do not act in time (B14, B15)."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Final, TypeAlias

from games.basic.rules.laying import POINTS, count, find_best_laying, list_groups
from games.basic.rules.ruleset import DECK_SIZE, BasicRules
from games.cards import Card
from games.engine import laid, laying, moves
from games.engine.fields import Within
from games.engine.laid import How, add_to_meld
from games.engine.laid import Meld as Made
from games.engine.laying import TOO_MANY_MELDS, cap_points
from games.engine.moves import AnyMove, Draw, Leave, MoveRefusal, PilesStep, Wire

# Most groups, and most cards in a group, of a hand of eleven.
HandGroups = Annotated[tuple[Annotated[tuple[Card, ...], Within(1, 11)], ...], Within(0, 11)]


class Deal(laid.Deal[laid.Player], kw_only=True):
    players: tuple[laid.Player, ...]


Step: TypeAlias = PilesStep[laid.Match[BasicRules, Deal], Deal, laid.Player, BasicRules]


class Course(laying.Course[Step]):
    def groups(self, step: Step) -> Iterable[tuple[Card, ...]]:
        return list_groups(step.player.hand, step.rules.shape)

    def refusal_of_number(self, step: Step, number: int) -> MoveRefusal | None:
        most = step.rules.melds_a_turn
        return TOO_MANY_MELDS if most is not None and step.deal.laid + number > most else None

    def fits(self, step: Step, lying: Sequence[Made], rest: Sequence[Card]) -> bool:
        return len(rest) == 1 and any(add_to_meld(meld, rest, step.rules.shape) for meld in lying)

    def can_draw(self, step: Step) -> bool:
        return step.restock()

    def end_out(self, step: Step) -> None:
        """End the deal: the player without cards wins, and the others count their hands (B8, B9)."""
        deal, rules = step.deal, step.rules
        winner = deal.at_turn
        is_rummy = winner.laid_in == deal.turn_number and rules.rummy_factor > 1
        factor = rules.rummy_factor if is_rummy else 1
        points = {p.seat: cap_points(rules, count(p.hand) * factor) for p in deal.playing}
        laying.end_deal(step, How.RUMMY if is_rummy else How.OUT, points, [winner.seat])

    def end_counted(self, step: Step, how: How) -> None:
        """End the deal by counting the hands: the lowest count wins (B11)."""
        rules = step.rules
        laying.end_lowest(
            step, how, lambda points: cap_points(rules, points), lambda p: count(p.hand)
        )

    def loss(self, step: Step, player: laid.Player) -> int:
        return count(player.hand)

    def miss_turn(self, step: Step) -> None:
        """Draw a card and discard it for a player whose clock has run out (B14)."""
        if step.deal.drawn is None:
            step.draw_closed()
        cards = laying.list_discardable(step)
        if cards:
            step.discard(
                step.deal.drawn if step.deal.drawn in cards else _find_dearest(step, cards)
            )
        self.end_turn(step)


def _find_dearest(step: Step, cards: Sequence[Card]) -> Card:
    """Return the card with the most points, from outside the melds of the hand if possible."""
    best = find_best_laying(step.deal.at_turn.hand, (), step.rules.shape)
    loose = [card for card in best.loose if card in cards]
    return max(loose or cards, key=lambda card: (POINTS[card], -card))


COURSE: Final = Course()


class Meld(laying.Meld[Step]):
    """Lay one or more new melds on the table (B5)."""

    course = COURSE
    groups: HandGroups


class LayOff(laying.LayOff[Step]):
    """Add cards to a meld on the table (B6)."""

    course = COURSE
    # One pack cannot make more melds of three cards.
    meld: Annotated[int, Within(0, DECK_SIZE // 3 - 1)]
    cards: Annotated[tuple[Card, ...], Within(0, 11)]


class Discard(laying.Discard[Step]):
    """Put a card on the open pile (B7, B8)."""

    course = COURSE


class Arrange(moves.Arrange[Step]):
    groups: HandGroups


MOVES: Final = (Draw, Meld, LayOff, Discard, Arrange, Leave)
WIRE: Final = Wire[AnyMove](MOVES, cards=DECK_SIZE)
move_json = WIRE.write
