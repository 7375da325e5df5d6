"""Help for one seat: what the contract lacks, and how it could be laid."""

from collections.abc import Mapping

from tables.games.base import JSON
from tables.games.contract.deal import Deal, Phase, Player
from tables.games.contract.missing import Missing, missing, missing_of_whole
from tables.games.contract.moves import laid_json
from tables.games.contract.rulesets import ContractRules
from tables.games.rummy.deal import player_at, sorted_by_suit
from tables.games.rummy.forms import group_texts
from tables.games.rummy.refusals import Refusal, illegal


def answer(
    deal: Deal, rules: ContractRules, seat: int, question: Mapping[str, JSON]
) -> dict[str, JSON]:
    """`{"kind": "arrange"}`: `missing` is how many cards the contract lacks; `melds` lays it, as the
    move `contract` takes it, and is null where something is missing. `groups` is the whole hand laid
    out so, as `Game.draft` takes it. Raises `IllegalMove` if there is nothing to be helped with.
    """
    player: Player | None = player_at(deal, seat)
    if player is None or not player.is_playing:
        raise illegal(Refusal.NOT_IN_DEAL)
    is_asked = deal.phase is not Phase.OVER and question.get("kind") == "arrange"
    if not is_asked or player.laid_in is not None:
        raise illegal(Refusal.NO_SUCH_HELP)
    found = contract_of(deal, rules, player)
    melds = found.melds or ()
    laid = {card for meld in melds for card in meld.cards}
    rest = [card for card in player.hand if card not in laid]
    return {
        "missing": found.lacking,
        "melds": None if found.melds is None else [laid_json(meld) for meld in melds],
        "groups": group_texts((*(meld.cards for meld in melds), *sorted_by_suit(rest))),
    }


def contract_of(deal: Deal, rules: ContractRules, player: Player) -> Missing:
    """What this hand lacks; of a whole hand with the card that is to be drawn (C4)."""
    hand = player.hand
    if not deal.is_whole:
        return missing(hand, deal.contract, rules)
    is_parting = deal.players[deal.turn].seat == player.seat and deal.drawn is not None
    size = len(hand) + (not is_parting)
    return missing_of_whole(hand, len(deal.contract), size, rules)
