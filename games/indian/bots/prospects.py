"""The prospects of a hand: how many cards it lacks, which unseen cards would help it, and its count."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from games.cards import Card, is_joker
from games.indian.bots.distance import HandShape, get_distances, shape_of
from games.indian.rules.ruleset import RuleSet
from games.indian.rules.solver.arrangement import arrange

# Discards that get a closer look: those after which the hand counts least.
_CANDIDATES: Final = 6


class IndianProspect(NamedTuple):
    """The prospects of a hand of thirteen cards.

    `missing` is how many cards must be exchanged before a declaration. `helpful` is the share, from 0 to 1, of the
    unseen cards that reduce `missing`, by weight. It is 0 if no unseen cards were given. `points` is the least count,
    and `jokers` the number of jokers. `sequences` is 2 if the hand has its least count with two sequences, 1 with only
    a pure one, or 0.
    """

    missing: int
    helpful: float
    points: int
    jokers: int
    sequences: int


def assess_hand(
    hand: Sequence[Card], wild: int | None, rules: RuleSet, unseen: Mapping[int, float] | None
) -> IndianProspect:
    """Return the prospects of a hand.

    `unseen` is the weight of each face that may be drawn, for instance its number of copies. If it is None, `helpful`
    is 0; computing `helpful` takes most of the time.
    """
    shape = shape_of(hand, wild)
    helpful = get_distances(wild).find_helpful(shape, unseen) if unseen else {}
    return _assess_hand(hand, shape, rules, wild, _share(helpful, unseen))


def list_discards(
    hand: Sequence[Card],
    wild: int | None,
    rules: RuleSet,
    unseen: Mapping[int, float] | None,
    kept: Card | None = None,
) -> list[tuple[Card, IndianProspect]]:
    """Return the discards from fourteen cards that leave the fewest cards missing, each with the prospects of the rest.

    Of more than six, only those that leave the six least counts are returned. Cards with the same face are returned
    once. A joker is returned only if there is no other card. `kept` may not be discarded (R4.5).
    """
    known = get_distances(wild)
    by_face = {card.face: card for card in hand if card != kept and not is_joker(card, wild)}
    thrown = list(by_face.values()) or [card for card in hand if card != kept]
    rests = [(card, tuple(other for other in hand if other != card)) for card in thrown]
    shaped = [(card, rest, shape_of(rest, wild)) for card, rest in rests]
    shape = shape_of(hand, wild)
    missing = known.count_missing(shape)
    nearest = [entry for entry in shaped if known.reaches(entry[2], missing)] or shaped
    if len(nearest) > _CANDIDATES:
        nearest.sort(key=lambda entry: arrange(entry[1], wild, rules).points)
    # Cards that help thirteen cards help fourteen.
    may_help = known.find_helpful(shape, unseen) if unseen and missing else unseen
    found = []
    for card, rest, rest_shape in nearest[:_CANDIDATES]:
        helpful = known.find_helpful(rest_shape, may_help) if may_help else {}
        left = _assess_hand(rest, rest_shape, rules, wild, _share(helpful, unseen))
        found.append((card, left))
    return found


def _share(helpful: Mapping[int, float], unseen: Mapping[int, float] | None) -> float:
    return sum(helpful.values()) / max(1, sum(unseen.values())) if unseen else 0.0


def _assess_hand(
    hand: Sequence[Card], shape: HandShape, rules: RuleSet, wild: int | None, helpful: float
) -> IndianProspect:
    laid = arrange(hand, wild, rules)
    return IndianProspect(
        missing=get_distances(wild).count_missing(shape),
        helpful=helpful,
        points=laid.points,
        jokers=shape.jokers,
        sequences=min(2, len(laid.groups)),
    )
