"""Help for a seat: its hand arranged for the least count, and the verdict on a declaration before it is made."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, groupby
from operator import attrgetter
from typing import Any, Final

from games.cards import ACE, Card, is_joker
from games.engine.base import JSON
from games.engine.game import HandHelp
from games.engine.moves import DEAL_OVER, NOT_IN_DEAL
from games.engine.state import Groups, Stage, as_json
from games.indian.rules.match import CORE
from games.indian.rules.melds import IndianMeldKind, judge, meld_kind
from games.indian.rules.moves import GROUPS_NOT_YOUR_HAND, Arrange, parse_move
from games.indian.rules.ruleset import HAND_SIZE, RuleSet
from games.indian.rules.scoring import wrong_declaration_points
from games.indian.rules.solver.arrangement import arrange, arrange_fourteen
from games.indian.rules.state import Match, Player, Step

_ACE_HIGH: Final = 14
_BEST_FIRST: Final = tuple(IndianMeldKind)
# Groups that fit on a small screen without scrolling.
_IN_SIGHT: Final = 6


def answer(match: Match, seat: int, question: Mapping[str, JSON]) -> dict[str, JSON]:
    """Answer a question about the seat's hand. Raises `IllegalMove` if there is no hand to ask about.

    `{"kind": "arrange"}`: `groups` is the whole hand, arranged for its least count.
    `{"kind": "judge", "groups": ...}`: `valid`, `kinds`, `reason`, `failed_group`, and the `points` that declaring
    these groups would cost.
    """
    if match.stage is not Stage.DEAL:
        raise DEAL_OVER.error()  # there is no hand to help with
    if question.get("kind") == "arrange":
        return {"groups": as_json(find_best_arrangement(match, seat))}
    return verdict(match, seat, question.get("groups"))


def find_best_arrangement(match: Match, seat: int) -> Groups:
    """Return this seat's hand arranged for its least count.

    The melds come first: pure sequences, other sequences, sets. The loose cards follow by suit. Of fourteen cards, the
    one to discard comes last in a group of its own. Raises `IllegalMove` if this seat has nothing to arrange.
    """
    player, wild, rules = _find_player(match, seat), match.deal.wild_rank, match.deal_rules
    hand = player.hand
    laying = arrange_fourteen if len(hand) > HAND_SIZE else arrange
    best = laying(hand, wild, rules)
    melds = sorted(best.groups, key=lambda group: _worth(group, wild, rules))
    laid = tuple(sort_meld(meld, wild, rules) for meld in melds)
    spare = () if best.discard is None else ((best.discard,),)
    return (*laid, *_group_loose(best.loose, _IN_SIGHT - len(laid) - len(spare)), *spare)


def verdict(match: Match, seat: int, groups: object) -> dict[str, JSON]:
    """Return how a declaration of these groups would be judged, with the fields that `answer` names.

    `points` is what declaring them would cost, 0 if they are valid. The groups must hold thirteen cards of the seat's
    hand, before or after finishing. Raises `IllegalMove` for anything else.
    """
    player, rules = _find_player(match, seat), match.deal_rules
    arranged: Any = parse_move({"kind": "arrange", "rev": 0, "groups": groups})
    submitted: Groups = arranged.groups
    if not _can_be_declared(player, submitted):
        raise GROUPS_NOT_YOUR_HAND.error()
    judgement = judge(submitted, match.deal.wild_rank, rules)
    return {
        "valid": judgement.valid,
        "kinds": [kind and kind.value for kind in judgement.kinds],
        "reason": judgement.reason,
        "failed_group": judgement.failed_group,
        "points": 0
        if judgement.valid
        else wrong_declaration_points(chain(*submitted), match.deal.wild_rank, rules),
    }


def sort_meld(group: Sequence[Card], wild: int | None, rules: RuleSet) -> tuple[Card, ...]:
    """Return the cards of a meld in reading order.

    A sequence is in ascending order, with jokers in the places they fill. In a set, jokers come last.
    """
    kind = meld_kind(group, wild, rules)
    jokers = [
        card for card in group if is_joker(card, wild) and kind is not IndianMeldKind.PURE_SEQUENCE
    ]
    naturals = [card for card in group if card not in jokers]
    if kind is None or kind is IndianMeldKind.SET or not naturals:
        return (*sorted(naturals, key=_get_sort_key), *jokers)
    places = _find_places(naturals)
    ordered: list[Card] = []
    for place in range(min(places), max(places) + 1):
        if place in places:
            ordered.append(places[place])
        else:
            ordered.append(jokers.pop())
    return (*ordered, *jokers)


def _group_loose(cards: Sequence[Card], room: int) -> Groups:
    """Return the cards as one group for each suit, or as a single group if there would be more than `room` groups."""
    ordered = tuple(sorted(cards, key=_get_sort_key))
    suits = tuple(tuple(group) for _, group in groupby(ordered, key=attrgetter("suit")))
    return suits if len(suits) <= room else (ordered,)


def _find_places(naturals: Sequence[Card]) -> dict[int, Card]:
    """Return the cards of a sequence by their places in it: the rank, or 14 for an ace above the king.

    The ace is put at the end at which the sequence is shorter (R1.3).
    """
    low = {card.rank: card for card in naturals}
    high = {_ACE_HIGH if card.rank == ACE else card.rank: card for card in naturals}
    return min(low, high, key=lambda places: max(places) - min(places))


def _worth(group: Sequence[Card], wild: int | None, rules: RuleSet) -> int:
    kind = meld_kind(group, wild, rules)
    return len(_BEST_FIRST) if kind is None else _BEST_FIRST.index(kind)


def _get_sort_key(card: Card) -> tuple[int, int]:
    return card.suit, card.rank


def _find_player(match: Match, seat: int) -> Player:
    """Return the seat's player. Raises `IllegalMove` if the player may not arrange a hand."""
    step = Step(match, seat)
    if step.player is None:
        raise NOT_IN_DEAL.error()
    player: Player = step.player
    if refusal := CORE.refusal(step, Arrange(player.rev + 1, player.groups)):
        raise refusal.error()
    return player


def _can_be_declared(player: Player, groups: Groups) -> bool:
    submitted = Counter(card for group in groups for card in group)
    return submitted.total() == HAND_SIZE and submitted <= Counter(player.hand)


HELP: Final = HandHelp({"arrange": "arrangement", "judge": "verdict"}, answer)
