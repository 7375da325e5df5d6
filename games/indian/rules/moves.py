"""The moves of Indian rummy (R3 to R6), and the moves made for players who do not act in time (R4.9)."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Annotated, Final, Self

from games.cards import CARD_TEXT, Card
from games.engine import moves
from games.engine.base import JSON
from games.engine.base import gettext_noop as _
from games.engine.fields import Within
from games.engine.moves import (
    CARD_NOT_HELD,
    NOT_YOUR_TURN,
    WRONG_STEP,
    AfterDrawing,
    AnyMove,
    Leave,
    Move,
    MoveRefusal,
    Wire,
)
from games.engine.state import Groups, remove_cards, replace, require
from games.indian.rules.intermission import AnswerSplit, OfferSplit, Rejoin
from games.indian.rules.melds import LEFT_BEFORE_DECLARING, NOT_DECLARED_IN_TIME, judge
from games.indian.rules.ruleset import RuleSet
from games.indian.rules.scoring import hand_points, wrong_declaration_points
from games.indian.rules.solver.arrangement import arrange
from games.indian.rules.state import (
    Deal,
    Declaration,
    Ending,
    IndianStatus,
    Phase,
    Player,
    PointsOrigin,
    Step,
    drop_points,
)

JOKER_NOT_DRAWABLE: Final = MoveRefusal(
    "joker_not_drawable", _("A discarded joker cannot be picked up.")
)
DROP_NOT_ALLOWED: Final = MoveRefusal("drop_not_allowed", _("Nobody may drop in this deal."))
GROUPS_NOT_YOUR_HAND: Final = MoveRefusal(
    "groups_not_your_hand", _("The groups must hold exactly the cards of your hand.")
)

_DECLARE, _SHOW = Phase.DECLARE, Phase.SHOW
# Most groups, and most cards in a group, of a hand of fourteen.
HandGroups = Annotated[tuple[Annotated[tuple[Card, ...], Within(1, 14)], ...], Within(0, 14)]


class Draw(moves.Draw[Step]):
    """Draw from either pile (R4.3, R4.4)."""

    def refusal(self, step: Step) -> MoveRefusal | None:
        if self.source == "closed" or step.deal.open_drawable:
            return None
        return super().refusal(step) or JOKER_NOT_DRAWABLE

    def apply(self, step: Step) -> None:
        super().apply(step)
        step.put(step.player, has_drawn=True)


class Discard(moves.Discard[Step]):
    """Discard a card other than the one just taken from the open pile (R4.5)."""

    def apply(self, step: Step) -> None:
        step.end_in_time()
        step.discard(self.card)
        pass_turn(step)


class Drop(Move[Step]):
    """Drop out of the deal before drawing (R5.1)."""

    kind = "drop"
    is_public = True

    @classmethod
    def blocked(cls, step: Step) -> MoveRefusal | None:
        if step.deal.drawn is not None:
            return WRONG_STEP
        return DROP_NOT_ALLOWED if _drop_points(step) is None else None

    def apply(self, step: Step) -> None:
        go_out(step, step.player, IndianStatus.DROPPED, has_drawn=step.player.has_drawn)
        go_on(step)

    @classmethod
    def details(cls, step: Step) -> Mapping[str, JSON]:
        return {"points": _drop_points(step)}


class Finish(AfterDrawing[Step]):
    """Put the fourteenth card into the finish slot (R3.2)."""

    kind = "finish"
    card: Card

    def refusal(self, step: Step) -> MoveRefusal | None:
        return None if self.card in step.player.hand else CARD_NOT_HELD

    def apply(self, step: Step) -> None:
        step.charge_overrun()
        step.put(remove_cards(step.player, self.card))
        step.set(
            phase=_DECLARE,
            finish=self.card,
            due_at=step.now + step.rules.declare_seconds * 1000,
            drawn=None,
            drawn_from_open=False,
        )
        step.announce("finished", seat=step.seat, card=self.card)

    @classmethod
    def options(cls, step: Step) -> Iterator[Self]:
        return (cls(card) for card in step.player.hand)


def list_partings(step: Step) -> Iterator[Discard | Finish]:
    """Yield, for each card, its discard and the finish with it.

    A card that may not be discarded may still be used to finish.
    """
    kept = step.kept_card
    for card in step.player.hand:
        if card != kept:
            yield Discard(card)
        yield Finish(card)


class Laying(Move[Step]):
    """A move by which a player lays down the whole hand in groups."""

    needs_turn = False
    is_public = True
    free = ("groups",)
    groups: HandGroups

    def refusal(self, step: Step) -> MoveRefusal | None:
        return _check_groups(step.player, self.groups)

    @classmethod
    def options(cls, step: Step) -> Iterator[Self]:
        yield cls(step.player.groups)


class Declare(Laying):
    """Declare the hand after finishing (R3.3)."""

    kind = "declare"

    @classmethod
    def blocked(cls, step: Step) -> MoveRefusal | None:
        phase = step.deal.phase
        if step.deal.at_turn.seat != step.seat or phase is _SHOW:
            return NOT_YOUR_TURN
        return None if phase is _DECLARE else WRONG_STEP

    def apply(self, step: Step) -> None:
        judged = judge(self.groups, step.deal.wild_rank, step.rules)
        declaration = Declaration(step.player.seat, self.groups, judged.reason, judged.failed_group)
        step.charge_overrun(groups=self.groups, missed=0)
        if not judged.valid:
            declare_wrongly(step, declaration)
            return
        step.put(step.player.take_out(IndianStatus.WON, 0, PointsOrigin.WON))
        due_at = step.now + step.rules.show_seconds * 1000
        step.set(phase=_SHOW, declaration=declaration, due_at=due_at)
        _announce_declared(step, declaration)


class Show(Laying):
    """Lay down a hand after another player's valid declaration (R3.6)."""

    kind = "show"

    @classmethod
    def blocked(cls, step: Step) -> MoveRefusal | None:
        return None if step.deal.phase is _SHOW else WRONG_STEP

    def apply(self, step: Step) -> None:
        count_player(step, replace(step.player, groups=self.groups), PointsOrigin.SHOWN)


class Arrange(moves.Arrange[Step]):
    """Save the groups by which the hand is counted if the player does not show (R6.4)."""

    groups: HandGroups

    def refusal(self, step: Step) -> MoveRefusal | None:
        # A delayed request may show an earlier hand.
        is_newer = self.rev > step.player.rev
        return _check_groups(step.player, self.groups) if is_newer else None


# The order in which `Core.list_legal` lists them.
MOVES: Final = (
    Draw, Drop, Discard, Finish, Declare, Show, Arrange, Rejoin, OfferSplit, AnswerSplit, Leave,
)  # fmt: skip
WIRE: Final = Wire[AnyMove](MOVES, cards=len(CARD_TEXT))
parse_move, move_json = WIRE.read, WIRE.write


# --- Turns.


def pass_turn(step: Step) -> None:
    """Restock the closed deck if it is empty (R4.6) and begin the next turn, or end the deal at its limit (R4.7)."""
    if step.has_reached_limit:
        end_at_limit(step)
        return
    step.restock()
    step.begin_turn(phase=Phase.TURN)


def go_on(step: Step) -> None:
    """Go on after a player has gone out in their turn: a single remaining player wins, or the next turn begins."""
    if len(step.deal.playing) == 1:
        end_with_last_player(step)
    else:
        pass_turn(step)


def go_out(step: Step, player: Player, status: IndianStatus, *, has_drawn: bool) -> None:
    """Take a player out of the deal at the cost of a drop or, if the rules have no drops, of `max_points` (R5.3)."""
    points = drop_points(step.rules, has_drawn=has_drawn)
    if points is None:
        points, how = step.rules.max_points, PointsOrigin.FULL_COUNT
    else:
        how = PointsOrigin.MIDDLE_DROP if has_drawn else PointsOrigin.FIRST_DROP
    step.put(player.take_out(status, points, how))
    step.announce("dropped", seat=player.seat, points=points, how=how)


def return_drawn_card(step: Step) -> None:
    """Discard the card drawn in this turn, if any, whichever pile it came from."""
    if step.deal.drawn is not None:
        step.discard(step.deal.drawn)


def miss_turn(step: Step) -> None:
    return_drawn_card(step)
    pass_turn(step)


def miss_too_many(step: Step) -> None:
    """Drop the current player, who has missed too many turns (R4.9)."""
    return_drawn_card(step)
    go_out(step, step.deal.at_turn, IndianStatus.DROPPED, has_drawn=True)
    go_on(step)


def leave_deal(step: Step) -> None:
    """Take `step.player`, who is leaving the match, out of the deal (R5.3).

    During the show, the player's hand is counted by its saved groups instead. If the player leaves instead of
    declaring, it is a wrong declaration.
    """
    player, phase = step.player, step.deal.phase
    is_at_turn = step.deal.at_turn.seat == player.seat
    if phase is _SHOW:
        count_player(step, player, PointsOrigin.SAVED)
        return
    if is_at_turn and phase is _DECLARE:
        declare_wrongly(step, Declaration(player.seat, (), LEFT_BEFORE_DECLARING))
        return
    if is_at_turn:
        return_drawn_card(step)
    go_out(step, step.player, IndianStatus.LEFT, has_drawn=player.has_drawn)
    if is_at_turn:
        go_on(step)
    elif len(step.deal.playing) == 1:
        end_with_last_player(step)


# --- Declaring and showing.


def declare_wrongly(step: Step, declaration: Declaration) -> None:
    """Take the declarer out of the deal after a wrong declaration. The card in the finish slot is discarded (R3.4)."""
    rules, declarer = step.rules, step.deal.at_turn
    _announce_declared(step, declaration)
    points = wrong_declaration_points(declarer.hand, step.deal.wild_rank, rules)
    step.put(declarer.take_out(IndianStatus.WRONG, points, PointsOrigin.WRONG))
    step.discard(require(step.deal.finish))
    step.set(finish=None, declaration=declaration)
    if rules.wrong_declaration_ends_deal and len(step.deal.playing) > 1:
        end_by_wrong_declaration(step)
    else:
        go_on(step)


def declare_too_late(step: Step) -> None:
    """Treat a declaration that did not come in time as a wrong one. The hand is not shown (R3.5)."""
    late = step.put(step.deal.at_turn, extra_ms=0)
    declare_wrongly(step, Declaration(late.seat, (), NOT_DECLARED_IN_TIME))


def count_the_rest(step: Step) -> None:
    """Count each hand that has not been shown in time by the groups that its player has saved (R6.4)."""
    for player in step.deal.playing:
        count_player(step, player, PointsOrigin.SAVED)


def count_player(step: Step, player: Player, how: PointsOrigin) -> None:
    """Count a player's hand by its groups. If it is the last hand to be counted, the deal ends.

    A hand that could have been declared in these groups counts `second_valid_points` (R3.6).
    """
    rules, wild = step.rules, step.deal.wild_rank
    is_valid = judge(player.groups, wild, rules).valid
    points = rules.second_valid_points if is_valid else hand_points(player.groups, wild, rules)
    step.put(player.take_out(IndianStatus.LOST, points, how))
    step.announce("shown", seat=player.seat, points=points)
    if not step.deal.playing:
        end_deal(step, Ending.DECLARED)


def _announce_declared(step: Step, declaration: Declaration) -> None:
    step.announce(
        "declared",
        seat=declaration.seat,
        valid=declaration.reason is None,
        reason=declaration.reason,
        failed_group=declaration.failed_group,
    )


def _drop_points(step: Step) -> int | None:
    return drop_points(step.rules, has_drawn=step.player.has_drawn)


def _check_groups(player: Player, groups: Groups) -> MoveRefusal | None:
    cards = sorted(chain.from_iterable(groups))
    return None if cards == sorted(player.hand) else GROUPS_NOT_YOUR_HAND


# --- The end of a deal: the winners, and the points of all other players.


def end_at_limit(step: Step) -> None:
    """End the deal at its limit: each hand counts in the groups in which it counts least, and the lowest count wins.

    Players with equal lowest counts share the win (R4.7).
    """
    counted = tuple(_arrange_best(step.deal, step.rules, player) for player in step.deal.players)
    lowest = min(player.points or 0 for player in counted if player.is_playing)
    step.set(
        players=tuple(
            _make_winner(player) if player.is_playing and player.points == lowest else player
            for player in counted
        )
    )
    end_deal(step, Ending.LIMIT)


def end_with_last_player(step: Step) -> None:
    """End the deal with the last player as its winner (R4.8)."""
    (last,) = step.deal.playing
    step.put(_make_winner(last))
    end_deal(step, Ending.LAST_PLAYER)


def end_by_wrong_declaration(step: Step) -> None:
    """End the deal and let every player who is still in it win (R3.4 with `wrong_declaration_ends_deal`)."""
    for player in step.deal.playing:
        step.put(_make_winner(player))
    end_deal(step, Ending.WRONG)


def end_deal(step: Step, ending: Ending) -> None:
    """End the deal. Players who are still playing lose; winners have already been marked as such."""
    players = tuple(
        replace(player, status=IndianStatus.LOST) if player.is_playing else player
        for player in step.deal.players
    )
    step.set(players=players, phase=Phase.OVER, ending=ending)
    points = {player.seat: player.points or 0 for player in players}
    step.announce("deal_over", winners=step.deal.winners, points=points)


def _make_winner(player: Player) -> Player:
    return player.take_out(IndianStatus.WON, 0, PointsOrigin.WON)


def _arrange_best(deal: Deal, rules: RuleSet, player: Player) -> Player:
    if not player.is_playing:
        return player
    best = arrange(player.hand, deal.wild_rank, rules)
    loose = (best.loose,) if best.loose else ()
    return replace(player, groups=(*best.groups, *loose), points=best.points, how=PointsOrigin.BEST)
