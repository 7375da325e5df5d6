"""What basic rummy gives for questions about one's own hand, for `manage.py hand`, and for records of deals.

Questions of `manage.py hand`, which settles disputes:

`check`: `{"groups": [[cards], …]}` asks which kind of meld each group is.
`arrange`: `{"hand": cards, "table": [[cards of a meld], …]}` asks for the least count after laying.

Cards are written without a pack. `ruleset` names a preset, and `rules` changes single fields of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from games.analysis.records import Fact, ask, claim, record_deal, step_record, strip_packs
from games.basic.rules.laying import count, find_best_laying, find_best_turn
from games.basic.rules.match import Match
from games.basic.rules.moves import Step
from games.basic.rules.ruleset import PRESETS, BasicRules, load_rules
from games.cards import CARD_BY_TEXT, FACE_TEXT, PRINTED_JOKER, Card
from games.engine.base import DEAL_ENDS, JSON, DealStart
from games.engine.core import PACK
from games.engine.game import HandHelp, HandTool, Records
from games.engine.laid import Meld, as_meld
from games.engine.laying import WORD_FOR_RUN
from games.engine.moves import NO_SUCH_HELP, NOT_IN_DEAL
from games.engine.state import object_json, sort_by_suit
from games.hand_questions import (
    BadQuestion,
    HandQuestion,
    HandQuestions,
    face_texts,
    read_face,
    read_list,
)

# --- Help for a seat.


def answer_for(match: Match, seat: int, question: Mapping[str, JSON]) -> dict[str, Any]:
    """Answer a question about the seat's hand. Raises `IllegalMove` if there is no hand to ask about.

    `{"kind": "arrange"}`: `points` is the least count after melding, laying off and, if the seat has drawn, a discard.
    `melds`, `lay_offs`, `loose` and `discard` say how to get there. `groups` is the whole hand in that arrangement, in
    the form that `Arrange` takes.

    Cards are strings. `lay_offs` are pairs of a card and the index of a meld.
    """
    step = Step(match, seat)
    if not step.is_in_deal:
        raise NOT_IN_DEAL.error()
    if step.deal.is_over:
        raise NO_SUCH_HELP.error()
    shape, lying = match.rules.shape, match.deal.melds
    hand = tuple(sorted(step.player.hand))
    discard = None
    if step.is_own_turn and step.deal.drawn is not None:
        best, discard = find_best_turn(hand, lying, shape, kept=step.kept_card)
    else:
        best = find_best_laying(hand, lying, shape)
    off = tuple(card for card, _ in best.lay_offs)
    spare = () if discard is None else ((discard,),)
    return object_json(
        {
            "points": best.points,
            "groups": (*best.groups, *((off,) if off else ()), *sort_by_suit(best.loose), *spare),
            "melds": best.groups,
            "lay_offs": best.lay_offs,
            "loose": best.loose,
            "discard": discard,
        }
    )


HELP: Final = HandHelp({"arrange": "arrangement"}, answer_for)


# --- The hand tool: questions about hands, and answers, as JSON lines.


# A hand after drawing.
_MOST_CARDS: Final = 11


def _check(asked: Mapping[str, Any], rules: BasicRules) -> dict[str, JSON]:
    groups = _read_groups(asked["groups"], "groups")
    _refuse_twice(groups)
    kinds: list[JSON] = []
    for group in groups:
        meld = as_meld(group, rules.shape)
        kinds.append(None if meld is None else "set" if meld.is_set else WORD_FOR_RUN)
    return {"kinds": kinds}


def _arrange(asked: Mapping[str, Any], rules: BasicRules) -> dict[str, JSON]:
    hand = _read_cards(asked["hand"], "hand")
    if not 0 < len(hand) <= _MOST_CARDS:
        raise BadQuestion(f"A hand has 1 to {_MOST_CARDS} cards, not {len(hand)}.")
    table = _read_groups(asked["table"], "table")
    _refuse_twice([hand, *table])
    best = find_best_laying(hand, [_read_lying(group, rules) for group in table], rules.shape)
    return {
        "points": best.points,
        "groups": [face_texts(group) for group in best.groups],
        "lay_offs": [[FACE_TEXT[card], meld] for card, meld in best.lay_offs],
        "loose": face_texts(best.loose),
    }


_QUESTIONS: Final = HandQuestions(
    {
        "check": HandQuestion(_check, frozenset({"groups"})),
        "arrange": HandQuestion(_arrange, frozenset({"hand", "table"})),
    },
    PRESETS,
    load_rules,
)
TOOL: Final = HandTool(tuple(_QUESTIONS.asked), _QUESTIONS.answer)


def _read_lying(group: tuple[Card, ...], rules: BasicRules) -> Meld:
    meld = as_meld(group, rules.shape)
    if meld is None:
        raise BadQuestion(f"{' '.join(face_texts(group))} is no meld.")
    return meld


def _read_groups(value: object, name: str) -> list[tuple[Card, ...]]:
    return [_read_cards(group, name) for group in read_list(value, name)]


def _read_cards(value: object, name: str) -> tuple[Card, ...]:
    faces = [read_face(text) for text in read_list(value, name)]
    if PRINTED_JOKER in faces:
        raise BadQuestion("Basic rummy is played without jokers.")
    return tuple(map(Card, faces))


def _refuse_twice(groups: Sequence[Sequence[Card]]) -> None:
    seen: set[Card] = set()
    for group in groups:
        for card in group:
            if card in seen:
                raise BadQuestion(f"{FACE_TEXT[card]} is there twice.")
            seen.add(card)


# --- Records of finished deals, and a second judgement of their claims.


def deal_record(start: DealStart) -> dict[str, JSON]:
    """Return the first part of the deal's record. `deck` has the 52 cards in their order before the shuffle."""
    return record_deal(start, PACK, "open", "hand_size")


def review(record: Mapping[str, Any]) -> list[dict[str, JSON]]:
    """Judge each laying of melds again, and count each loser's hand again.

    `counted` has the kinds of the melds, or the points of a hand. `agree` says whether the second judgement or the
    second count comes to the same result.
    """
    hands = {seat: list(cards) for seat, cards in record["hands"].items()}
    rules = {name: value for name, value in record["rules"].items() if name != "name"}
    found: list[dict[str, JSON]] = []
    for step in record["steps"]:
        for event in step["events"]:
            _follow(hands, event, step)
            if event["kind"] == "melded":
                found.append(_of_melds(event, rules))
            elif event["kind"] == DEAL_ENDS and event["how"] in ("out", "rummy"):
                found += _of_counts(event, hands, record["rules"], _list_gone(record))
    return found


def _of_melds(event: Fact, rules: Fact) -> dict[str, JSON]:
    groups = [strip_packs(meld["cards"]) for meld in event["melds"]]
    said = ask(TOOL, "check", {"groups": groups, "rules": rules})
    counted = [meld["kind"] for meld in event["melds"]]
    return claim(event["seat"], groups, "check", said, counted, agree=said["kinds"] == counted)


def _of_counts(
    event: Fact, hands: Mapping[str, list[str]], rules: Fact, gone: set[int]
) -> Iterator[dict[str, JSON]]:
    """Yield an entry of the review for the count of each loser's hand.

    The table counts the whole hand (B12), and so does the second count. The hand tool's `answer` is only added for
    information: it leaves out the cards that could have been laid.
    """
    factor = rules["rummy_factor"] if event["how"] == "rummy" else 1
    for seat, points in event["points"].items():
        if int(seat) in event["winners"] or int(seat) in gone:
            continue
        hand = hands[seat]
        said = ask(TOOL, "arrange", {"hand": strip_packs(hand), "table": []})
        whole = count(CARD_BY_TEXT[card] for card in hand) * factor
        most = rules["max_points"]
        worth = whole if most is None else min(whole, most)
        groups = [strip_packs(hand)]
        yield claim(int(seat), groups, "arrange", said, points, agree=worth == points)


def _list_gone(record: Fact) -> set[int]:
    """Return the seats that left the deal before its end."""
    events = [event for step in record["steps"] for event in step["events"]]
    return {event["seat"] for event in events if event["kind"] in ("dropped", "left")}


def _follow(hands: Mapping[str, list[str]], event: Fact, step: Fact) -> None:
    """Update a hand after an event. Cards that the player did not hold are ignored."""
    hand = hands.get(str(event.get("seat")), [])
    if event["kind"] == "drawn":
        hand.append(event.get("card") or step["drew"])
    elif event["kind"] in ("discarded", "melded", "laid_off"):
        laid = event.get("melds", [event])
        gone = {event.get("card"), *(card for one in laid for card in one.get("cards", ()))}
        hand[:] = [card for card in hand if card not in gone]


RECORDS: Final = Records(deal_record, step_record, review)
