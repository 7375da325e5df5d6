"""Help for a seat: the melds, and the answer to a knock, that leave the least deadwood."""

from collections.abc import Mapping
from typing import Any, Final

from games.engine.base import JSON
from games.engine.game import HandHelp
from games.engine.moves import DEAL_OVER, NO_SUCH_HELP, NOT_IN_DEAL
from games.engine.state import object_json, sort_by_suit
from games.gin.rules.melding import find_best_melding
from games.gin.rules.moves import Defend, find_defence
from games.gin.rules.state import Match, Step


def answer(match: Match, seat: int, question: Mapping[str, JSON]) -> dict[str, Any]:
    """Answer a question about the seat's hand. Raises `IllegalMove` if there is no hand to ask about.

    `{"kind": "arrange"}`: `points`, `melds`, `loose` and `discard` of the melds that leave the least deadwood. `groups`
    is the whole hand in that arrangement, in the form that `Arrange` takes.

    `{"kind": "defend"}`: `points`, `groups`, `lay_offs` and `loose` of the answer that leaves the least deadwood.

    Cards are strings. `lay_offs` are pairs of a card and the index of one of the knocker's melds.
    """
    step = Step(match, seat)
    if not step.is_in_deal or step.deal.is_over:
        raise (DEAL_OVER if step.is_in_deal else NOT_IN_DEAL).error()
    told = _answer_defend(step) if question.get("kind") == "defend" else _answer_arrange(step)
    return object_json(told)


def _answer_arrange(step: Step) -> dict[str, Any]:
    is_turn = step.deal.at_turn.seat == step.seat
    best = find_best_melding(step.player.hand, step.kept_card if is_turn else None)
    spare = () if best.discard is None else ((best.discard,),)
    return {
        "points": best.deadwood,
        "groups": (*best.groups, *sort_by_suit(best.loose), *spare),
        "melds": best.groups,
        "loose": best.loose,
        "discard": best.discard,
    }


def _answer_defend(step: Step) -> dict[str, Any]:
    if Defend.blocked(step) is not None:
        raise NO_SUCH_HELP.error()
    best = find_defence(step.deal)
    return {
        "points": best.deadwood,
        "groups": best.groups,
        "lay_offs": best.lay_offs,
        "loose": best.loose,
    }


HELP: Final = HandHelp({"arrange": "arrangement", "defend": "arrangement"}, answer)
