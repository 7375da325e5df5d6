"""Help for a seat: the cards that the contract lacks, and a way to lay it."""

from collections.abc import Mapping
from typing import Any, Final

from games.contract.rules.match import Match
from games.contract.rules.missing import missing_in
from games.engine.base import JSON
from games.engine.game import HandHelp
from games.engine.moves import NO_SUCH_HELP, NOT_IN_DEAL
from games.engine.state import as_json, sorted_by_suit


def answer(match: Match, seat: int, question: Mapping[str, JSON]) -> dict[str, Any]:
    """Answer a question about the seat's hand. Raises `IllegalMove` if there is nothing to ask.

    `{"kind": "arrange"}`: `missing` is the number of cards that the contract lacks. `melds` lays
    it, as the move `contract` takes it, or is null if cards are missing. `groups` is the whole
    hand in that arrangement, as `Arrange` takes it.
    """
    deal, player = match.deal, match.deal.player(seat)
    if player is None or not player.is_playing:
        raise NOT_IN_DEAL.error()
    if deal.is_over or question.get("kind") != "arrange" or player.laid_in is not None:
        raise NO_SUCH_HELP.error()
    found = missing_in(deal, match.rules, player)
    melds = found.melds or ()
    laid = {card for meld in melds for card in meld.cards}
    rest = [card for card in player.hand if card not in laid]
    return as_json(  # type: ignore[return-value] # an object
        {
            "missing": found.lacking,
            "melds": found.melds,
            "groups": (*(meld.cards for meld in melds), *sorted_by_suit(rest)),
        }
    )


HELP: Final = HandHelp({"arrange": "arrangement"}, answer)
