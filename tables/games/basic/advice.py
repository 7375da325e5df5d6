"""Help for one seat: what could be laid now."""

from collections.abc import Mapping

from tables.games.base import JSON
from tables.games.basic.best import best_laying, best_turn
from tables.games.basic.deal import Deal, Phase
from tables.games.basic.rulesets import BasicRules
from tables.games.cards import CARD_TEXT, Card, card_texts
from tables.games.rummy.deal import kept_card, player_at, sorted_by_suit
from tables.games.rummy.forms import group_texts
from tables.games.rummy.refusals import Refusal, illegal


def answer(
    deal: Deal, rules: BasicRules, seat: int, question: Mapping[str, JSON]
) -> dict[str, JSON]:
    """`{"kind": "arrange"}`: `points` are the least count after melding and laying off, and after the
    best discard where the seat has drawn; `melds`, `lay_offs`, `loose` and `discard` show how.
    `groups` is the whole hand laid out so, as `Game.draft` takes it.

    Cards are texts; `lay_offs` are pairs of a card and the number of a meld. Raises `IllegalMove`
    if there is nothing to be helped with.
    """
    player = player_at(deal, seat)
    if player is None or not player.is_playing:
        raise illegal(Refusal.NOT_IN_DEAL)
    if deal.phase is Phase.OVER or question.get("kind") != "arrange":
        raise illegal(Refusal.NO_SUCH_HELP)
    is_parting = deal.players[deal.turn].seat == seat and deal.drawn is not None
    kept = kept_card(deal, rules) if is_parting else None
    hand = tuple(sorted(player.hand))
    discard: Card | None = None
    if is_parting:
        best, discard = best_turn(hand, deal.melds, rules.shape, kept=kept)
    else:
        best = best_laying(hand, deal.melds, rules.shape)
    off = tuple(card for card, _ in best.lay_offs)
    spare = () if discard is None else ((discard,),)
    return {
        "points": best.points,
        "groups": group_texts(
            (*best.groups, *((off,) if off else ()), *sorted_by_suit(best.loose), *spare)
        ),
        "melds": group_texts(best.groups),
        "lay_offs": [[CARD_TEXT[card], meld] for card, meld in best.lay_offs],
        "loose": card_texts(best.loose),
        "discard": None if discard is None else CARD_TEXT[discard],
    }
