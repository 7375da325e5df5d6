"""Help for a seat: the best melds and lay-offs."""

from collections.abc import Mapping
from typing import Any, Final

from games.basic.rules.laying import best_laying, best_turn
from games.basic.rules.match import Match
from games.basic.rules.moves import Step
from games.engine.base import JSON
from games.engine.game import HandHelp
from games.engine.moves import NO_SUCH_HELP, NOT_IN_DEAL
from games.engine.state import as_json, sorted_by_suit


def answer(match: Match, seat: int, question: Mapping[str, JSON]) -> dict[str, Any]:
    """Answer a question about the seat's hand. Raises `IllegalMove` if there is nothing to ask.

    `{"kind": "arrange"}`: `points` is the least count after melding, laying off, and the best
    discard if the seat has drawn; `melds`, `lay_offs`, `loose` and `discard` say how. `groups` is
    the whole hand in that arrangement, as `Arrange` takes it.

    Cards are texts. `lay_offs` are pairs of a card and the index of a meld.
    """
    step = Step(match, seat)
    if not step.is_in_deal:
        raise NOT_IN_DEAL.error()
    if step.deal.is_over or question.get("kind") != "arrange":
        raise NO_SUCH_HELP.error()
    shape, lying = match.rules.shape, match.deal.melds
    hand = tuple(sorted(step.player.hand))
    discard = None
    if step.is_own_turn and step.deal.drawn is not None:
        best, discard = best_turn(hand, lying, shape, kept=step.kept_card)
    else:
        best = best_laying(hand, lying, shape)
    off = tuple(card for card, _ in best.lay_offs)
    spare = () if discard is None else ((discard,),)
    return as_json(  # type: ignore[return-value] # an object
        {
            "points": best.points,
            "groups": (*best.groups, *((off,) if off else ()), *sorted_by_suit(best.loose), *spare),
            "melds": best.groups,
            "lay_offs": best.lay_offs,
            "loose": best.loose,
            "discard": discard,
        }
    )


HELP: Final = HandHelp({"arrange": "arrangement"}, answer)
