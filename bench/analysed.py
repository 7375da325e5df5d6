"""Deals between bots, for measuring the analysis, puzzles and fair play: one value for each game with an analysis.

Each value plays and records deals, plays by the policy of the game's playouts, and plants blunders.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from bench.play import Chooser, bot, make_random, record_deal
from games.analysis.laid import read_known
from games.basic.bots.playouts import BasicPlayouts
from games.basic.game import GAME as BASIC_GAME
from games.basic.rules.laying import Hand as BasicHand
from games.basic.rules.ruleset import load_rules as basic_rules
from games.cards import CARD_BY_TEXT, CARD_TEXT, CARDS, wild_rank
from games.contract.bots.playouts import ContractPlayouts
from games.contract.game import GAME as CONTRACT_GAME
from games.contract.rules.missing import find_missing
from games.contract.rules.ruleset import load_rules as contract_rules
from games.engine.base import JSON, Strength
from games.engine.core import PACK
from games.engine.game import Game
from games.engine.laid import read_melds
from games.gin.bots import playouts as gin_playouts
from games.gin.bots.sight import GinSight, cards_of_texts
from games.gin.game import GAME as GIN_GAME
from games.gin.rules import moves as gin_moves
from games.gin.rules.defence import find_best_defence
from games.gin.rules.melding import arrange, count_least, find_big_gin, mask_of
from games.indian.bots import playouts as indian_playouts
from games.indian.bots.playouts import Hands, IndianQuickPolicy
from games.indian.bots.sight import IndianSight
from games.indian.game import GAME as INDIAN_GAME
from games.indian.lab.analysis.options import find_finishing_card
from games.rummikub.game import GAME as RUMMIKUB_GAME

_SEATS = 2
# Points that a planted blunder costs at once.
_DEAR = 15
# For each card that may be discarded, what remains: whether it is a joker, and points.
Costs = Mapping[str, tuple[bool, int]]
# From a view, its seat and a bot's move: the move of a planted blunder, or None.
Blunder = Callable[[Mapping[str, Any], int, Mapping[str, JSON]], Mapping[str, JSON] | None]


@dataclass(frozen=True, slots=True)
class Analysed:
    """The parts of a game that measurements and tests of its analysis need."""

    game: Game
    by_policy: Chooser
    costs: Callable[[Mapping[str, Any], int], Costs]
    # Kinds of moves that may be replaced by a discard.
    blundered: frozenset[str] = frozenset({"discard"})
    # Points that a planted blunder costs at once.
    dear: int = _DEAR
    preset: str = "points"
    # A blunder of another kind to plant instead of an expensive discard.
    other_blunder: Blunder | None = None

    @property
    def analysis(self) -> Any:
        return self.game.analysis

    def play_deal(
        self, number: int, choosers: Sequence[Chooser], rules: str | None = None
    ) -> dict[str, Any]:
        """Return the record of one deal. The same number gives the same deal."""
        return record_deal(
            self.game,
            self.game.rules.preset(rules or self.preset),
            f"analysis/{number}",
            len(choosers),
            lambda _state, view, seat: choosers[seat](view, seat),
        )

    def bot(self, strength: Strength, number: object) -> Chooser:
        return bot(self.game, strength, f"{strength}/{number}")

    def with_blunder(self, chooser: Chooser, at_turn: int) -> tuple[Chooser, list[int]]:
        """Plant a blunder at this turn of the player's own, or at the first later one in which one is possible.

        Return the chooser and a list. Once the blunder is made, the list holds its number among the seat's
        moves, from 0.
        """
        planted: list[int] = []
        moves = count()
        blundered = self.other_blunder or self.dear_discard

        def choose(view: Mapping[str, Any], seat: int) -> Mapping[str, JSON]:
            move, number = chooser(view, seat), next(moves)
            own_turn = (view["public"]["turn_number"] + 1) // _SEATS
            blunder = None if planted or own_turn < at_turn else blundered(view, seat, move)
            if blunder is None:
                return move
            planted.append(number)
            return blunder

        return choose, planted

    def dear_discard(
        self, view: Mapping[str, Any], seat: int, move: Mapping[str, JSON]
    ) -> Mapping[str, JSON] | None:
        """Return the discard of a joker, or of a card that costs `dear` points more than the best, or None."""
        costs = self.costs(view, seat) if move["kind"] in self.blundered else {}
        if not costs:
            return None
        worst = max(costs, key=costs.__getitem__)
        is_joker, left = costs[worst]
        if not is_joker and left < min(points for _, points in costs.values()) + self.dear:
            return None
        return {"kind": "discard", "card": worst}


def step_of(record: Mapping[str, Any], planted: Sequence[int]) -> int:
    """Return the number of the record's step at which seat 0 made the planted blunder."""
    own = [number for number, step in enumerate(record["steps"]) if step["seat"] == 0]
    return own[planted[0]]


def _play_indian_policy(view: Mapping[str, Any], seat: int) -> Mapping[str, JSON]:
    """Choose a move by the quick policy. Moves that end a deal are chosen as the bots do."""
    public, sight = view["public"], IndianSight.of(view, seat)
    if public["phase"] != "turn":
        return INDIAN_GAME.bots(view, seat, strength="hard", rng=make_random(0))
    hands = Hands(wild_rank(CARD_BY_TEXT[public["wild"]]), sight.rules)
    policy = IndianQuickPolicy(hands)
    position = indian_playouts.IndianPosition(
        hands=[list(sight.hand)],
        closed=[],
        open_pile=[],
        playing=[True],
        lost=[0],
        turns=[1],
        drawn=sight.drawn,
        from_open=sight.drawn_from_open is not None,
    )
    if public["step"] == "draw":
        card = sight.open_card
        is_wanted = card is not None and policy.wants(position, card)
        return {"kind": "draw", "source": "open" if is_wanted else "closed"}
    card_number, finishes = policy.discard(position)
    if finishes:  # the policy only says that the hand can finish, not with which discard
        spare = find_finishing_card(sight.hand, hands)
        card_number = card_number if spare is None else spare
    return {"kind": "finish" if finishes else "discard", "card": CARD_TEXT[card_number]}


def _indian_costs(view: Mapping[str, Any], seat: int) -> Costs:
    sight = IndianSight.of(view, seat)
    hands = Hands(sight.wild, sight.rules)
    return {
        CARD_TEXT[card]: (
            hands.is_joker(card),
            min(80, hands.count_least([kept for kept in sight.hand if kept != card])),
        )
        for card in sight.discardable
    }


def _play_gin_policy(view: Mapping[str, Any], seat: int) -> Mapping[str, JSON]:
    public, sight = view["public"], GinSight.of(view, seat)
    if public["phase"] == "defend":
        melds = [cards_of_texts(group) for group in public["knock"]["groups"]]
        best = find_best_defence(sight.hand, melds)
        return gin_moves.move_json(gin_moves.Defend(best.groups, best.lay_offs))
    policy = gin_playouts.PatientPolicy(sight.limit)
    position = gin_playouts.GinPosition(
        [mask_of(sight.hand)], closed=[], open_pile=[], turns=[sight.known.turn]
    )
    if public["step"] == "draw":
        card = sight.open_card
        if card is not None and policy.wants(position, card):
            return gin_moves.move_json(gin_moves.Draw("open"))
        is_upcard = public["phase"] == "upcard"
        return gin_moves.move_json(
            gin_moves.PassUpcard() if is_upcard else gin_moves.Draw("closed")
        )
    all_melded = find_big_gin(sight.hand) if sight.rules.big_gin_bonus else None
    if all_melded is not None:
        return gin_moves.move_json(gin_moves.Knock(None, all_melded.groups))
    number, knocks = policy.part(position, sight.known.kept)
    card = CARDS[number]
    if not knocks:
        return gin_moves.move_json(gin_moves.Discard(card))
    groups = arrange(kept for kept in sight.hand if kept != card).groups
    return gin_moves.move_json(gin_moves.Knock(card, groups))


def _gin_costs(view: Mapping[str, Any], seat: int) -> Costs:
    sight = GinSight.of(view, seat)
    return {
        CARD_TEXT[card]: (False, count_least(mask_of(kept for kept in sight.hand if kept != card)))
        for card in sight.hand
        if card != sight.kept_card
    }


def _play_basic_policy(view: Mapping[str, Any], seat: int) -> Mapping[str, JSON]:
    rules = basic_rules(view["rules"])
    policy = BasicPlayouts(rules, make_random(0))
    state = policy.state(read_known(view, seat, lambda _players: PACK).position)
    if view["public"]["step"] == "draw":
        is_wanted = bool(state.open_pile) and policy.wants(state, state.open_pile[-1])
        return {"kind": "draw", "source": "open" if is_wanted else "closed"}
    move = BASIC_GAME.bots(view, seat, strength="hard", rng=make_random(0))
    if move["kind"] != "discard":
        return move
    card = policy.choose_discard(state.hands[state.turn], policy.get_kept(state))
    return {"kind": "discard", "card": CARD_TEXT[card]}


def _basic_costs(view: Mapping[str, Any], seat: int) -> Costs:
    """Return the points left after each possible discard.

    Return nothing once something has been laid in this turn, because the rest of a meld costs little.
    """
    public, own = view["public"], view["you"]
    hand = [CARD_BY_TEXT[card] for card in own["hand"]]
    if public["laid"]:
        return {}
    known = BasicHand(hand, read_melds(public), basic_rules(view["rules"]).shape)
    kept = own["drawn"] if own["from_open"] else None
    return {
        CARD_TEXT[card]: (False, known.count_least(known.all ^ known.bit[card]))
        for card in hand
        if CARD_TEXT[card] != kept
    }


def _play_contract_policy(view: Mapping[str, Any], seat: int) -> Mapping[str, JSON]:
    public, rules = view["public"], contract_rules(view["rules"])
    policy = ContractPlayouts(rules, tuple(public["contract"]), public["is_whole"], make_random(0))
    known = read_known(view, seat, rules.deck)
    state = policy.state(known.position)
    top = state.open_pile[-1] if state.open_pile else None
    is_wanted = top is not None and policy.wants(state, known.place, top)
    if public["phase"] == "buy":
        return {"kind": "buy" if is_wanted and not state.has_laid[known.place] else "pass"}
    if public["step"] == "draw":
        return {"kind": "draw", "source": "open" if is_wanted else "closed"}
    move = CONTRACT_GAME.bots(view, seat, strength="hard", rng=make_random(0))
    if move["kind"] != "discard":
        return move
    return {"kind": "discard", "card": CARD_TEXT[policy.list_discards(state)[0]]}


def _contract_costs(view: Mapping[str, Any], seat: int) -> Costs:
    """Return how many cards the contract lacks after each possible discard.

    Return nothing while the contract is incomplete, or once it is laid.
    """
    public, own = view["public"], view["you"]
    if own["missing"] != 0:
        return {}
    rules, hand = contract_rules(view["rules"]), [CARD_BY_TEXT[card] for card in own["hand"]]
    contract = tuple(public["contract"])
    return {
        CARD_TEXT[card]: (
            rules.is_wild(card),
            find_missing([kept for kept in hand if kept != card], contract, rules).lacking,
        )
        for card in hand
        if not own["from_open"] or CARD_TEXT[card] != own["drawn"]
    }


def _play_rummikub_policy(view: Mapping[str, Any], seat: int) -> Mapping[str, JSON]:
    """Choose a move as `hard` does, because this analysis has no playouts.

    It compares moves with the most tiles that could be laid.
    """
    return RUMMIKUB_GAME.bots(view, seat, strength="hard", rng=make_random(0))


def _play_missing_end(view: Mapping[str, Any], _seat: int, move: Mapping[str, Any]) -> Any:
    """Draw a tile instead of laying the whole rack."""
    if move["kind"] != "lay" or not view["public"]["pool_count"]:
        return None
    laid = {card for meld in move["table"] for card in meld["cards"]}
    return {"kind": "draw"} if laid.issuperset(view["you"]["hand"]) else None


INDIAN = Analysed(INDIAN_GAME, _play_indian_policy, _indian_costs)
GIN = Analysed(GIN_GAME, _play_gin_policy, _gin_costs)
BASIC = Analysed(
    BASIC_GAME,
    _play_basic_policy,
    _basic_costs,
    blundered=frozenset({"discard", "meld", "lay_off"}),
    dear=20,
)
RUMMIKUB = Analysed(
    RUMMIKUB_GAME, _play_rummikub_policy, lambda _view, _seat: {}, other_blunder=_play_missing_end
)
CONTRACT = Analysed(
    CONTRACT_GAME,
    _play_contract_policy,
    _contract_costs,
    blundered=frozenset({"discard", "contract"}),
    dear=1,
    preset="single",
)
GAMES = {one.game.code: one for one in (INDIAN, GIN, BASIC, CONTRACT, RUMMIKUB)}
