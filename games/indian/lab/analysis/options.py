"""The alternatives to a move, as far as they deserve a look, and the loss by a choice."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from games.analysis.judging import Effort, Verdict, evaluate_choice
from games.analysis.report import Step
from games.cards import CARD_BY_TEXT, CARD_TEXT, CARDS, FACES
from games.indian.bots.links import LINKS
from games.indian.bots.playouts import Hands, Nets, Playouts, Position
from games.indian.lab.analysis.reading import Situation
from games.indian.rules.melds import judge
from games.indian.rules.scoring import wrong_declaration_points
from games.indian.rules.state import drop_points


def sample_world(situation: Situation, place: int, rng: random.Random) -> Position:
    """Return a deal in which this place has seen the same.

    Its own cards, the open pile, and the cards that others took from it and still hold are known;
    the rest is random. Discards in a reshuffled deck may lie in the deck or in a hand. Cards never
    seen then lie in hands, as the deck is made of seen cards.
    """
    known = situation.position
    seen = {*known.hands[place], *known.open_pile, situation.wild_card, situation.finish}
    for cards in situation.taken:
        seen.update(cards)
    hidden: list[int] = [card for card in situation.deck() if card not in seen]
    rng.shuffle(hidden)
    if situation.reshuffles:
        # Cards known to be in hands come last, because hands are dealt from there.
        hidden.sort(key=lambda card: card not in situation.laid)
    world = known.copy()
    others = [other for other in range(len(known.hands)) if other != place]
    sizes = [len(known.hands[other]) - len(situation.taken[other]) for other in others]
    in_hands = hidden[len(hidden) - sum(sizes) :]
    del hidden[len(hidden) - sum(sizes) :]
    rng.shuffle(in_hands)
    for other, size in zip(others, sizes, strict=True):
        world.hands[other] = situation.taken[other] + in_hands[:size]
        del in_hands[:size]
    rng.shuffle(hidden)
    world.closed = hidden
    return world


def reshuffle(situation: Situation, rng: random.Random) -> Position:
    """Return the deal with all hands known and the closed deck in another order."""
    known = situation.position
    elsewhere = {*known.open_pile, situation.wild_card, situation.finish}
    for hand in known.hands:
        elsewhere.update(hand)
    world = known.copy()
    world.closed = [card for card in situation.deck() if card not in elsewhere]
    rng.shuffle(world.closed)
    return world


Doing = Literal["drop", "closed", "open", "discard", "finish", "wrong"]
Kind = Literal["drop", "pick", "discard", "finish", "declare", "show"]

# Discards examined besides the one played.
_CANDIDATES: Final = 5
_KIN_WEIGHT: Final = 2


@dataclass(frozen=True, slots=True)
class Option:
    """An option. `card` is its discard; `wrong` is the declaration of an invalid hand."""

    doing: Doing
    card: int | None = None

    def json(self) -> dict[str, Any]:
        return {"do": self.doing, "card": None if self.card is None else CARD_TEXT[self.card]}

    def play_out(self, playouts: Playouts, world: Position, drop_points: int) -> float:
        """Return the net points of the place at turn with this option. Uses up `world`."""
        place = world.turn
        return self._play_out(playouts, world, drop_points)[place]

    def _play_out(self, playouts: Playouts, world: Position, drop_points: int) -> Nets:
        place = world.turn
        ended: Nets | None = None
        if self.doing == "drop":
            return [-float(drop_points)] * len(world.hands)  # the others do not matter to it
        if self.doing == "wrong":
            hand = (CARDS[card] for card in world.hands[place] if card != self.card)
            points = wrong_declaration_points(hand, playouts.hands.wild, playouts.rules)
            return [-float(points)] * len(world.hands)
        if self.doing == "finish":
            return playouts.score_win(world)
        if self.doing == "discard" and self.card is not None:
            ended = playouts.discard(world, self.card)
        elif self.doing == "open":
            playouts.take_open(world)
        else:
            playouts.take_closed(world)
        return playouts.play_out(world) if ended is None else ended


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision: the option chosen and the others."""

    kind: Kind
    chosen: Option
    others: tuple[Option, ...]
    drop_points: int = 0

    @property
    def options(self) -> tuple[Option, ...]:
        return (self.chosen, *self.others)


def find_choice(situation: Situation, step: Step, hands: Hands) -> Choice | None:
    """Return the decision in a step of the seat at turn, or None if nothing could be decided."""
    move = step.get("move") or {}
    if move.get("kind") in ("draw", "drop"):
        return _find_choice_before_draw(situation, move, hands)
    if move.get("kind") in ("discard", "finish"):
        return _find_choice_after_draw(situation, move, hands)
    if move.get("kind") == "declare":
        return _find_declaration(situation, move, hands)
    return None


def _find_choice_before_draw(situation: Situation, move: Any, hands: Hands) -> Choice | None:
    position, rules = situation.position, situation.rules
    options = [Option("closed")]
    if position.open_pile and (
        position.is_first_turn or not hands.is_joker(position.open_pile[-1])
    ):
        options.append(Option("open"))
    points = drop_points(rules, has_drawn=situation.has_drawn[position.turn])
    if points is not None:
        options.append(Option("drop"))
    chosen = Option("drop") if move["kind"] == "drop" else Option(move["source"])
    others = tuple(option for option in options if option != chosen)
    if not others:
        return None
    kind: Kind = "drop" if chosen.doing == "drop" else "pick"
    return Choice(kind, chosen, others, points or 0)


def _find_choice_after_draw(situation: Situation, move: Any, hands: Hands) -> Choice | None:
    position = situation.position
    hand = position.hands[position.turn]
    card = CARD_BY_TEXT[move["card"]]
    finishing = find_finishing_card(hand, hands)
    if move["kind"] == "finish":
        rest = [kept for kept in hand if kept != card]
        if is_declarable(rest, hands):
            return None  # whoever can end the deal should: nothing to compare
        chosen = Option("wrong", card)
    else:
        chosen = Option("discard", card)
    kept = position.drawn if position.from_open else None
    may_return = situation.rules.may_return_open_card
    discards = _list_candidates(hand, None if may_return else kept, hands)
    others = [Option("discard", other) for other in discards if other % FACES != card % FACES]
    if chosen.doing == "wrong":
        others.insert(0, Option("discard", card))
    if finishing is not None:
        others = [Option("finish", finishing)]
    is_about_the_end = chosen.doing == "wrong" or finishing is not None
    if not others:
        return None
    return Choice("finish" if is_about_the_end else "discard", chosen, tuple(others))


def _find_declaration(situation: Situation, move: Any, hands: Hands) -> Choice | None:
    """Return the choice of a valid hand declared wrongly. Otherwise the finish was the decision."""
    hand = situation.position.hands[situation.position.turn]
    groups = [[CARD_BY_TEXT[card] for card in group] for group in move["groups"]]
    if judge(groups, situation.wild, situation.rules).valid or not is_declarable(hand, hands):
        return None
    return Choice("declare", Option("wrong"), (Option("finish"),))


def find_finishing_card(hand: Sequence[int], hands: Hands) -> int | None:
    """Return the card to finish with if thirteen of the fourteen are a valid hand."""
    points, best = hands.find_best_of_fourteen(hand)
    if points or best is None:
        return None
    for card in _pick_by_face(hand):
        rest = list(hand)
        rest.remove(card)
        if is_declarable(rest, hands):
            return card
    return None


def is_declarable(hand: Sequence[int], hands: Hands) -> bool:
    return hands.count_least(hand) == 0 and hands.arrange(hand).declarable


def _list_candidates(hand: Sequence[int], kept: int | None, hands: Hands) -> list[int]:
    """Return the discards that leave the best hands, by count and by links between the cards."""
    throwable = [card for card in hand if card != kept]
    naturals = [card for card in throwable if not hands.is_joker(card)]

    def cost(card: int) -> int:
        rest = list(hand)
        rest.remove(card)
        links = LINKS[card % FACES]
        kin = sum(links[other % FACES] for other in rest if not hands.is_joker(other))
        return hands.count_least(rest) + _KIN_WEIGHT * kin

    return sorted(_pick_by_face(naturals or throwable), key=cost)[:_CANDIDATES]


def _pick_by_face(cards: Sequence[int]) -> list[int]:
    return list({card % FACES: card for card in cards}.values())


def count_unseen_copies(situation: Situation, place: int) -> Counter[int]:
    """Return the number of cards of each face that this place has not seen."""
    position = situation.position
    seen = {*position.hands[place], *position.open_pile, *situation.laid, situation.wild_card}
    return Counter(card % FACES for card in situation.deck() if card not in seen)


def judge_choice(
    choice: Choice, situation: Situation, playouts: Playouts, rng: random.Random, effort: Effort
) -> Verdict[Option]:
    """Return the loss of the place at turn by this choice."""

    def nets(options: Sequence[Option]) -> list[float]:
        world = sample_world(situation, situation.position.turn, rng)
        return [option.play_out(playouts, world.copy(), choice.drop_points) for option in options]

    return evaluate_choice(choice, nets, effort)
