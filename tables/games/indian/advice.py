"""Help for one seat: its hand laid out as well as can be, and what a declaration would come to."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final

from tables.games.base import JSON
from tables.games.cards import ACE, Card
from tables.games.indian.arrangement import arrange, arrange_fourteen
from tables.games.indian.deal import Deal, Player
from tables.games.indian.declaration import Groups, judge
from tables.games.indian.jokers import is_joker
from tables.games.indian.melds import MeldKind, meld_kind
from tables.games.indian.moves import Arrange, parse_move
from tables.games.indian.play import refusal_of
from tables.games.indian.refusals import Refusal, illegal
from tables.games.indian.rulesets import HAND_SIZE, RuleSet

_ACE_HIGH: Final = 14
_BEST_FIRST: Final = tuple(MeldKind)
# Groups that a small screen shows without scrolling.
_IN_SIGHT: Final = 6


def best_arrangement(deal: Deal, rules: RuleSet, seat: int) -> Groups:
    """This seat's hand laid out at its least count.

    Melds from best to worst, then the loose cards by suits; of fourteen the card to discard comes
    last, by itself. Raises `IllegalMove` if this seat has nothing to arrange.
    """
    player = _player(deal, rules, seat)
    wild, hand = deal.wild_rank, player.hand
    laying = arrange_fourteen if len(hand) > HAND_SIZE else arrange
    best = laying(hand, wild, rules)
    melds = sorted(best.groups, key=lambda group: _worth(group, wild, rules))
    laid = tuple(in_order(meld, wild, rules) for meld in melds)
    spare = () if best.discard is None else ((best.discard,),)
    return (*laid, *_loose(best.loose, _IN_SIGHT - len(laid) - len(spare)), *spare)


def verdict(deal: Deal, rules: RuleSet, seat: int, groups: object) -> dict[str, JSON]:
    """How a declaration of these groups would be judged; `points` is what it would cost.

    Thirteen cards of the seat's hand, in its turn before or after it has finished. Raises
    `IllegalMove` for anything else.
    """
    player = _player(deal, rules, seat)
    submitted = _read_groups(groups)
    if not _could_be_declared(player, submitted):
        raise illegal(Refusal.GROUPS_NOT_YOUR_HAND)
    judgement = judge(submitted, deal.wild_rank, rules)
    return {
        "valid": judgement.valid,
        "kinds": [kind and kind.value for kind in judgement.kinds],
        "reason": judgement.reason,
        "failed_group": judgement.failed_group,
        "points": 0 if judgement.valid else rules.wrong_declaration_points,
    }


def in_order(group: Sequence[Card], wild: int | None, rules: RuleSet) -> tuple[Card, ...]:
    """The cards of a meld as one reads them: a sequence rises, with jokers where they stand in."""
    kind = meld_kind(group, wild, rules)
    jokers = [card for card in group if is_joker(card, wild) and kind is not MeldKind.PURE_SEQUENCE]
    naturals = [card for card in group if card not in jokers]
    if kind is None or kind is MeldKind.SET or not naturals:
        return (*sorted(naturals, key=_by_suit_and_rank), *jokers)
    places = _places(naturals)
    ordered: list[Card] = []
    for place in range(min(places), max(places) + 1):
        if place in places:
            ordered.append(places[place])
        else:
            ordered.append(jokers.pop())
    return (*ordered, *jokers)


def _loose(cards: Sequence[Card], room: int) -> Groups:
    """A group for each suit, or one for all where there is no room for so many."""
    ordered = tuple(sorted(cards, key=_by_suit_and_rank))
    suits = tuple(tuple(group) for _, group in groupby(ordered, key=attrgetter("suit")))
    return suits if len(suits) <= room else (ordered,)


def _places(naturals: Sequence[Card]) -> dict[int, Card]:
    """Where the cards of a sequence stand, the ace at its better end (R1.3)."""
    low = {card.rank: card for card in naturals}
    high = {_ACE_HIGH if card.rank == ACE else card.rank: card for card in naturals}
    return min(low, high, key=lambda places: max(places) - min(places))


def _worth(group: Sequence[Card], wild: int | None, rules: RuleSet) -> int:
    kind = meld_kind(group, wild, rules)
    return len(_BEST_FIRST) if kind is None else _BEST_FIRST.index(kind)


def _by_suit_and_rank(card: Card) -> tuple[int, int]:
    return card.suit, card.rank


def _player(deal: Deal, rules: RuleSet, seat: int) -> Player:
    """Who may arrange a hand may be helped with it."""
    player = deal.player(seat)
    refusal = (
        Refusal.NOT_IN_DEAL
        if player is None
        else refusal_of(deal, rules, seat, Arrange(player.rev + 1, player.groups))
    )
    if refusal is not None or player is None:
        raise illegal(refusal or Refusal.NOT_IN_DEAL)
    return player


def _read_groups(groups: object) -> Groups:
    move = parse_move({"kind": "arrange", "rev": 0, "groups": groups})
    if not isinstance(move, Arrange):  # pragma: no cover - the kind says it
        raise illegal(Refusal.MALFORMED_MOVE)
    return move.groups


def _could_be_declared(player: Player, groups: Groups) -> bool:
    submitted = Counter(card for group in groups for card in group)
    return submitted.total() == HAND_SIZE and submitted <= Counter(player.hand)
