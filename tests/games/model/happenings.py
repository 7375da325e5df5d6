"""Which kinds of things have happened in a match, so that none is missing unnoticed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tests.games.model import melds
from tests.games.model.comparison import Pair
from tests.games.model.match import ModelMatch

# Each has to come up in the matches that a run of the tests plays.
EXPECTED: Final = (
    "arrange",
    "concluded",
    "declared: too_few_cards",
    "declared: left_before_declaring",
    "declared: not_declared_in_time",
    "declared: valid",
    "ended: declared",
    "ended: last_player",
    "ended: limit",
    "ended: wrong",
    "left: between",
    "left: declare",
    "left: rejoin",
    "left: show",
    "left: split",
    "left: turn",
    "left when out: between",
    "left when out: rejoin",
    "left when out: split",
    "left when out: turn",
    "missed turns made a drop",
    "missed_turn",
    "overtime",
    "postponed: between",
    "postponed: turn",
    "rejoin accepted",
    "rejoin declined",
    "rejoin silent",
    "refused: already_left",
    "refused: already_shown",
    "refused: card_not_held",
    "refused: deal_over",
    "refused: drop_not_allowed",
    "refused: groups_not_your_hand",
    "refused: joker_not_drawable",
    "refused: may_not_return_open_card",
    "refused: not_asked",
    "refused: not_in_deal",
    "refused: not_your_turn",
    "refused: split_not_possible",
    "refused: time_is_up",
    "refused: wrong_step",
    "reshuffled",
    "shared deal",
    "shown: a lone pure sequence",
    "shown: a second valid hand",
    "split agreed",
    "split by itself",
    "split offered",
    "split proposed",
    "split refused",
    "split silent",
    "tie-breaker",
    "tie-breaker for qualifying",
    "tie-breaker with somebody gone",
)


@dataclass(frozen=True)
class Standing:
    """What the next step is compared with."""

    stage: str
    phase: str
    number: int
    out: frozenset[int]
    extra_ms: int


def standing(match: ModelMatch) -> Standing:
    stage = match.deal.phase if match.stage == "deal" else match.stage
    out = frozenset(seat for seat, one in match.members.items() if not one.is_in)
    extra_ms = sum(one.extra_ms for one in match.deal.players)
    return Standing(stage, match.deal.phase, match.number, out, extra_ms)


def since(before: Standing, what: str, pair: Pair) -> Iterator[str]:
    model, now = pair.model, standing(pair.model)
    yield from _of_act(before, what)
    for event in pair.told:
        yield from _of_event(event, before, pair)
    if what != "expired" and now.number == before.number and now.extra_ms < before.extra_ms:
        yield "overtime"
    shares = now.stage == "over" and model.rules.split and len(model.winners) > 1
    if shares and before.stage != "split" and what != "concluded":
        yield "split by itself"
    if now.number > before.number and model.tie_breaker:
        yield from _of_tie_breaker(model)


def _of_act(before: Standing, what: str) -> Iterator[str]:
    yield what
    if what == "postponed":
        yield f"postponed: {before.stage}"
    if what == "expired" and before.stage in ("rejoin", "split"):
        yield f"{before.stage} silent"


def _of_tie_breaker(model: ModelMatch) -> Iterator[str]:
    yield "tie-breaker"
    if model.rules.qualifiers is not None:
        yield "tie-breaker for qualifying"
    if any(one.membership == "left" for one in model.members.values()):
        yield "tie-breaker with somebody gone"


def _of_event(event: dict[str, object], before: Standing, pair: Pair) -> Iterator[str]:
    kind = event["kind"]
    if kind == "left":
        when = " when out" if event["seat"] in before.out else ""
        yield f"left{when}: {before.stage}"
    elif kind == "missed_turn":
        yield "missed_turn"
        if any(one["kind"] == "dropped" for one in pair.told):
            yield "missed turns made a drop"
    elif kind == "shown":
        yield from _of_shown(event, pair.model)
    elif kind == "deal_over":
        yield f"ended: {pair.model.deal.ending}"
        if len(pair.model.deal.winners) > 1:
            yield "shared deal"
    else:
        yield from _by_name(event)


def _of_shown(event: dict[str, object], model: ModelMatch) -> Iterator[str]:
    deal, rules = model.deal, model.rules
    groups = next(one.groups for one in deal.players if one.seat == event["seat"])
    kinds = [melds.kind(group, deal.wild, rules) for group in groups]
    if event["points"] == rules.second_valid_points:
        yield "shown: a second valid hand"
    elif kinds.count(melds.PURE) == 1 and melds.SEQUENCE not in kinds:
        yield "shown: a lone pure sequence"


def _by_name(event: dict[str, object]) -> Iterator[str]:
    kind = event["kind"]
    if kind == "declared":
        yield f"declared: {event['reason'] or 'valid'}"
    elif kind == "split_closed":
        yield "split agreed" if event["agreed"] else "split refused"
    elif kind in _NAMES:
        yield _NAMES[str(kind)]


_NAMES: Final = {
    "rejoined": "rejoin accepted",
    "rejoin_declined": "rejoin declined",
    "reshuffled": "reshuffled",
    "split_offered": "split offered",
    "split_open": "split proposed",
}
