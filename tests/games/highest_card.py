"""A game for tests only: each player turns up their one card, and the highest wins (aces are low).

It shows the minimum that a game has to define, and that no code outside a game's own files depends on the game
(tests/tables/test_another_game.py).
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final, TypeAlias

from games.cards import CARD_TEXT, Card, full_deck
from games.engine import moves, state
from games.engine.base import DEAL_ENDS, JSON, Format, Result, Strength, Text
from games.engine.core import Core
from games.engine.fields import Minutes, MissedTurns, Qualifiers, Seconds
from games.engine.game import Game, Money, Records, View, Words
from games.engine.moves import Leave, Move, Wire
from games.engine.rules import RuleBook
from games.engine.state import Stored, Value, replace
from games.shuffle import shuffle

SEATS: Final = range(2, 5)


class Rules(Value, kw_only=True):
    name: str
    turn_seconds: Seconds = 30
    qualifiers: Qualifiers | None = None
    # Has no effect, since a player who misses a turn turns up their card.
    max_missed_turns: MissedTurns = 2
    max_minutes: Minutes = 60


RULES: Final = RuleBook(Rules(name="points"), Rules(name="pot"), check=lambda rules: None)


class Player(state.Player, kw_only=True):
    card: Card
    is_up: bool = False
    has_left: bool = False

    @property
    def is_playing(self) -> bool:
        return not (self.is_up or self.has_left)


class Deal(state.Deal[Player], kw_only=True):
    players: tuple[Player, ...]

    @property
    def is_over(self) -> bool:
        return not self.playing

    @property
    def in_turn(self) -> bool:
        return not self.is_over


class Match(state.Match[Rules, Deal], kw_only=True):
    rules: Rules
    deal: Deal


Step: TypeAlias = moves.Step[Match, Deal, Player, Rules]


class TurnUp(Move[Step]):
    """Turn up your card."""

    kind = "turn_up"

    def apply(self, step: Step) -> None:
        turn_up(step)


def turn_up(step: Step) -> None:
    player = step.deal.at_turn
    step.put(player, is_up=True)
    step.announce("turned_up", seat=player.seat, card=player.card)
    end_turn(step)


def end_turn(step: Step) -> None:
    """Pass the turn to the next player who has not turned up a card, or announce the end of the deal."""
    if step.deal.playing:
        step.set(turn=step.next_place, due_at=step.now + step.rules.turn_seconds * 1000)
    else:
        order = sort_by_card(step.deal)
        points = {seat: 0 if seat == order[0] else 10 for seat in order}
        step.announce(DEAL_ENDS, winners=order[:1], points=points)


def sort_by_card(deal: Deal) -> tuple[int, ...]:
    """Return the seats by their cards, the highest first. Players who left come last."""
    ranked = sorted(deal.players, key=lambda one: (one.has_left, -one.card.rank, one.card.suit))
    return tuple(player.seat for player in ranked)


class HighestCard(Core[Step, Match, Deal, Rules]):
    seats = SEATS
    match_type = Match
    step_type = moves.Step
    moves = (TurnUp, Leave)

    def deal(self, rules: Rules, order: Sequence[int], *, number: int, seed: bytes) -> Deal:
        deck = shuffle(full_deck(1)[:52], seed=seed, label="deal")
        players = tuple(Player(seat=seat, card=deck[at]) for at, seat in enumerate(order))
        return Deal(seed=seed, players=players)

    def describe_deal(self, deal: Deal, rules: Rules) -> Mapping[str, Any]:
        return {}

    def miss_turn(self, step: Step) -> None:
        turn_up(step)

    def miss_too_many(self, step: Step) -> None:
        turn_up(step)

    def leave_deal(self, step: Step) -> None:
        was_at_turn = step.is_own_turn
        step.put(step.player, has_left=True)
        if was_at_turn or not step.deal.playing:
            end_turn(step)

    def enter_deal(self, step: Step) -> None:
        """Do nothing: a match of one deal needs no score sheet."""

    def find_winners(self, match: Match) -> tuple[int, ...]:
        return sort_by_card(match.deal)[:1]

    def find_leaders(self, match: Match) -> tuple[int, ...]:
        return self.find_winners(match)

    def result(self, match: Match) -> Result:
        order = sort_by_card(match.deal)
        up = {player.seat: player.card.rank for player in match.deal.players if player.is_up}
        return Result(
            winners=order[:1],
            points={seat: 0 if seat == order[0] else 10 for seat in order},
            ranks={seat: place for place, seat in enumerate(order, 1)},
            scores={seat: up.get(seat, 0) for seat in order},
            shares={order[0]: 1},
            next_order=match.deal.order,
        )


def choose(
    view: Mapping[str, JSON], seat: int, *, strength: Strength, rng: Random
) -> dict[str, JSON]:
    return {"kind": "turn_up"}


def public_view(match: Match) -> dict[str, JSON]:
    deal = match.deal
    is_over = match.stage is state.Stage.OVER
    shown = {p.seat: CARD_TEXT[p.card] if p.is_up else None for p in deal.players}
    return {
        "deal": 1,
        "phase": "over" if is_over else "turn",
        "order": list(deal.order),
        "turn": None if is_over else deal.at_turn.seat,
        "due_at": match.deadline,
        "deadline": match.deadline,
        "result": {"winners": list(match.winners)} if is_over else None,
        "players": {str(seat): {"card": card} for seat, card in shown.items()},
    }


def private_view(match: Match, seat: int) -> dict[str, JSON]:
    player = match.deal.player(seat)
    return {"hand": [] if player is None else [CARD_TEXT[player.card]]}


GAME: Final = Game(
    code="highest",
    title=Text("Highest card"),
    formats=(
        Format(code="POINTS", title=Text("Points"), stake="per_point", seats=SEATS,
               presets=("points",)),
        Format(code="POT", title=Text("Pot"), stake="entry_fee", seats=SEATS,
               presets=("pot",), is_for_events=True),
    ),
    rules=RULES,
    money=Money(
        get_format_code=lambda rules: "POT" if rules.name == "pot" else "POINTS",
        format_title=lambda rules: Text("Highest card"),
        largest_loss=lambda rules: 80,
        adapt_to_event=lambda rules, *, deals, qualifiers: replace(rules, qualifiers=qualifiers),
    ),
    core=HighestCard(),
    stored=Stored(Match, version=1),
    wire=Wire(HighestCard.moves, cards=52),
    view=View(public_view, private_view, {"hand": []}),
    bots=choose,
    words=Words(),
    records=Records(lambda start: {}, lambda events, private: {}, lambda record: []),
)  # fmt: skip
