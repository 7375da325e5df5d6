"""Help for one seat: its best melds, and its best answer to a knock."""

from collections.abc import Mapping
from functools import lru_cache

from tables.games.base import JSON
from tables.games.cards import CARD_TEXT, Card, card_texts
from tables.games.gin.deal import Deal, Phase, Player, knock_limit, sorted_by_suit
from tables.games.gin.melding import Melding, arrange, arrange_eleven
from tables.games.gin.melds import group_texts
from tables.games.gin.refusals import Refusal, illegal
from tables.games.gin.rulesets import HAND_SIZE, GinRules
from tables.games.gin.showdown import defence_of
from tables.games.gin.turns import check_parting


def best_of(hand: tuple[Card, ...], kept: Card | None) -> Melding:
    """The least deadwood of ten cards, or of eleven after the best discard, which is not `kept`."""
    return _best_of(tuple(sorted(hand)), kept)


@lru_cache(maxsize=1 << 12)  # at most 3 MB
def _best_of(hand: tuple[Card, ...], kept: Card | None) -> Melding:
    return arrange_eleven(hand, kept=kept) if len(hand) > HAND_SIZE else arrange(hand)


def may_knock(deal: Deal, rules: GinRules, player: Player) -> bool:
    """G7: whether some discard leaves no more than the limit, now that the turn has come to it."""
    if check_parting(deal, rules, player, None) is not None:
        return False
    best = best_of(player.hand, deal.kept_card(rules))
    return best.deadwood <= knock_limit(deal.upcard, rules)


def answer(deal: Deal, rules: GinRules, seat: int, question: Mapping[str, JSON]) -> dict[str, JSON]:
    """`{"kind": "arrange"}`: the `points` of the best division, its `melds`, `loose` and `discard`;
    `groups` is the whole hand laid out so, as `Game.draft` takes it.
    `{"kind": "defend"}`: `points` left, `groups`, `lay_offs` and `loose` of the best answer.

    Cards are texts; `lay_offs` are pairs of a card and the number of a meld of the knocker. Raises
    `IllegalMove` if there is nothing to be helped with.
    """
    player = deal.player(seat)
    if player is None or deal.phase is Phase.OVER:
        raise illegal(Refusal.NOT_IN_DEAL if player is None else Refusal.DEAL_OVER)
    if question.get("kind") == "defend":
        return _defence(deal, player)
    at_turn = deal.at_turn.seat == seat
    best = best_of(player.hand, deal.kept_card(rules) if at_turn else None)
    spare = () if best.discard is None else ((best.discard,),)
    return {
        "points": best.deadwood,
        "groups": group_texts((*best.groups, *sorted_by_suit(best.loose), *spare)),
        "melds": group_texts(best.groups),
        "loose": card_texts(best.loose),
        "discard": None if best.discard is None else CARD_TEXT[best.discard],
    }


def _defence(deal: Deal, player: Player) -> dict[str, JSON]:
    if deal.phase is not Phase.DEFEND or deal.waiting_for.seat != player.seat:
        raise illegal(Refusal.NO_SUCH_HELP)
    best = defence_of(deal)
    return {
        "points": best.deadwood,
        "groups": group_texts(best.groups),
        "lay_offs": [[CARD_TEXT[card], meld] for card, meld in best.lay_offs],
        "loose": card_texts(best.loose),
    }
