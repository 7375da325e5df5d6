"""The options that are worth comparing in a decision, and their results in a world.

A world is one possible layout of the cards that the player cannot see.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from games.analysis.judging import Choice, Option
from games.analysis.moments import Moment
from games.analysis.situations import Move
from games.cards import CARD_BY_TEXT, FACES
from games.indian.bots.links import LINKS
from games.indian.bots.playouts import Hands, IndianPlayouts, IndianPosition, Nets
from games.indian.lab.analysis.reading import IndianSituation
from games.indian.rules.melds import judge

# Discards examined besides the one played.
_CANDIDATES: Final = 5
_KIN_WEIGHT: Final = 2


class IndianMoment(Moment):
    """A player who has to decide, with what the player can know. The option `wrong` is to declare an invalid hand."""

    def sample_world(self) -> IndianPosition:
        """Return a random deal that agrees with everything the moment's player has seen.

        The player's own cards, the open pile, and the cards that others took from that pile and still hold are known;
        all others are random. After a reshuffle the closed deck was made of discards. So cards that nobody has
        discarded lie in hands, while earlier discards may lie in the deck or in a hand.
        """
        situation, place, rng = self.situation, self.place, self.rng
        known = situation.position
        seen = {*known.hands[place], *known.open_pile, *situation.list_aside()}
        seen.update(*situation.taken)
        hidden: list[int] = [card for card in situation.deck if card not in seen]
        rng.shuffle(hidden)
        if situation.reshuffles:
            # Cards known to be in hands come last, because hands are dealt from there.
            hidden.sort(key=lambda card: card not in situation.thrown)
        world: IndianPosition = known.copy()
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

    def play_option(self, option: Option, world: IndianPosition) -> Sequence[float] | None:
        if option.doing == "drop":
            return [-float(self.situation.drop_points or 0)] * len(world.hands)
        if option.doing == "wrong":
            hand = [card for card in world.hands[self.place] if card != option.card]
            return [-float(self.situation.cost_of_wrong(hand))] * len(world.hands)
        if option.doing == "finish":
            nets: Nets = self.playouts.score_win(world)
            return nets
        return super().play_option(option, world)


def find_choice(
    situation: IndianSituation, move: Move, playouts: IndianPlayouts
) -> Choice[Option] | None:
    """Return the choice that the player made with this move: the option taken and the others worth comparing.

    Return None if there was nothing to decide.
    """
    hands = playouts.hands
    match move["kind"]:
        case "draw" | "drop":
            return _find_choice_before_draw(situation, move, hands)
        case "discard" | "finish":
            return _find_choice_after_draw(situation, move, hands)
        case "declare":
            return _find_declaration(situation, move, hands)
    return None


def _find_choice_before_draw(
    situation: IndianSituation, move: Move, hands: Hands
) -> Choice[Option]:
    options = list_draws(situation, hands)
    if situation.drop_points is not None:
        options.append(Option("drop"))
    chosen = Option("drop") if move["kind"] == "drop" else Option(move["source"])
    others = tuple(option for option in options if option != chosen)
    return Choice("drop" if chosen.doing == "drop" else "pick", chosen, others)


def list_draws(situation: IndianSituation, hands: Hands) -> list[Option]:
    """Return the options to draw, one for each pile that may be drawn from (R4.4)."""
    opened = situation.opened
    is_takeable = opened is not None and (
        situation.position.is_first_turn or not hands.is_joker(opened)
    )
    return [Option("closed"), Option("open")] if is_takeable else [Option("closed")]


def _find_choice_after_draw(
    situation: IndianSituation, move: Move, hands: Hands
) -> Choice[Option] | None:
    position = situation.position
    hand = position.hands[position.turn]
    card = CARD_BY_TEXT[move["card"]]
    finishing = find_finishing_card(hand, hands)
    if move["kind"] == "finish":
        rest = [kept for kept in hand if kept != card]
        if is_declarable(rest, hands):
            return None  # a player who can end the deal should: nothing to compare
        chosen = Option("wrong", card)
    else:
        chosen = Option("discard", card)
    discards = _list_candidates(hand, find_kept(situation), hands)
    others = [Option("discard", other) for other in discards if other % FACES != card % FACES]
    if chosen.doing == "wrong":
        others.insert(0, Option("discard", card))
    if finishing is not None:
        others = [Option("finish", finishing)]
    is_about_the_end = chosen.doing == "wrong" or finishing is not None
    return Choice("finish" if is_about_the_end else "discard", chosen, tuple(others))


def find_kept(situation: IndianSituation) -> int | None:
    """Return the card that may not be discarded because it was just taken from the open pile (R4.5), or None."""
    position = situation.position
    is_kept = position.from_open and not situation.rules.may_return_open_card
    return position.drawn if is_kept else None


def _find_declaration(
    situation: IndianSituation, move: Move, hands: Hands
) -> Choice[Option] | None:
    """Return the choice if the hand could have been declared but its groups were wrong, else None.

    If the hand could not have been declared in any groups, the mistake was made earlier, by finishing.
    """
    hand = situation.position.hands[situation.position.turn]
    groups = [[CARD_BY_TEXT[card] for card in group] for group in move["groups"]]
    if judge(groups, situation.wild, situation.rules).valid or not is_declarable(hand, hands):
        return None
    return Choice("declare", Option("wrong"), (Option("finish"),))


def find_finishing_card(hand: Sequence[int], hands: Hands) -> int | None:
    """Return a card of the fourteen with which the player can finish and declare the other thirteen, or None."""
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
    """Return up to five cards to discard, the most promising first, each face once.

    A discard is more promising the less the rest of the hand counts, and the weaker the links between the discarded
    card and the rest are. Jokers are returned only if there is no other card. `kept` may not be discarded.
    """
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


def count_unseen_copies(situation: IndianSituation, place: int) -> Counter[int]:
    """Return how many cards of each face the player at `place` has not seen."""
    position = situation.position
    seen = {*position.hands[place], *position.open_pile, *situation.thrown, situation.wild_card}
    return Counter(card % FACES for card in situation.deck if card not in seen)
