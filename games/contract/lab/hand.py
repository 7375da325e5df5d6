"""What Contract Rummy gives for questions about one's own hand, for `manage.py hand`, and for records of deals.

Questions of `manage.py hand`, which settles disputes:

`check`: `{"contract": ["set", "run", …], "melds": [{"cards", "as"}, …], "last": bool}` asks whether these melds meet
the contract. `last` says whether the contract takes the whole hand.
`missing`: `{"hand": cards, "contract": […]}` asks how many cards the hand lacks.

Cards are written without a pack. `ruleset` names a preset, and `rules` changes single fields of it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.analysis.records import Fact, ask, claim, find_event, record_deal, strip_packs
from games.cards import CARDS, FACE_TEXT, FACES, MAX_PACKS, MOST_JOKERS, PRINTED_JOKER, Card
from games.contract.rules.match import Match
from games.contract.rules.melds import CONTRACT_NOT_MET, LaidMeld, as_meld, contract_refusal
from games.contract.rules.missing import find_missing, find_missing_for
from games.contract.rules.ruleset import PRESETS, Contract, ContractRules, load_rules
from games.engine.base import DEAL_BEGINS, JSON, DealStart
from games.engine.fields import UNREADABLE, make_reader
from games.engine.game import HandHelp, HandTool, Records
from games.engine.moves import NO_SUCH_HELP, NOT_A_MELD, NOT_IN_DEAL, MoveRefusal
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

    `{"kind": "arrange"}`: `missing` is the number of cards that the contract lacks. `melds` are the melds of the
    contract, in the form that the move `contract` takes, or null if cards are missing. `groups` is the whole hand in
    that arrangement, in the form that `Arrange` takes.
    """
    deal, player = match.deal, match.deal.player(seat)
    if player is None or not player.is_playing:
        raise NOT_IN_DEAL.error()
    if deal.is_over or player.laid_in is not None:
        raise NO_SUCH_HELP.error()
    found = find_missing_for(deal, match.rules, player)
    melds = found.melds or ()
    laid = {card for meld in melds for card in meld.cards}
    rest = [card for card in player.hand if card not in laid]
    return object_json(
        {
            "missing": found.lacking,
            "melds": found.melds,
            "groups": (*(meld.cards for meld in melds), *sort_by_suit(rest)),
        }
    )


HELP: Final = HandHelp({"arrange": "arrangement"}, answer_for)


# --- The hand tool: questions about hands, and answers, as JSON lines.


# The most cards of a hand, after three buys and a draw.
_MOST_CARDS: Final = 19


def _check(asked: Mapping[str, Any], rules: ContractRules) -> dict[str, JSON]:
    contract = _read_asked_contract(asked["contract"])
    is_last = asked.get("last", False)
    if type(is_last) is not bool:
        raise BadQuestion("last is true or false.")
    laid = _read_melds(asked["melds"])
    refusal = _refusal(laid, contract, rules, is_last=is_last)
    return {"valid": refusal is None, "reason": None if refusal is None else refusal.code}


def _refusal(
    laid: Sequence[LaidMeld], contract: Contract, rules: ContractRules, *, is_last: bool
) -> MoveRefusal | None:
    made = [as_meld(one, rules) for one in laid]
    melds = [meld for meld in made if meld is not None]
    if len(melds) < len(made):
        return NOT_A_MELD
    cards = sum(len(meld.cards) for meld in melds)
    if is_last and cards <= rules.hand_sizes[-1]:
        return CONTRACT_NOT_MET
    return contract_refusal(melds, contract, rules, is_whole=is_last)


def _answer_missing(asked: Mapping[str, Any], rules: ContractRules) -> dict[str, JSON]:
    hand = _read_cards([read_face(text) for text in read_list(asked["hand"], "hand")], Counter())
    if not 0 < len(hand) <= _MOST_CARDS:
        raise BadQuestion(f"A hand has 1 to {_MOST_CARDS} cards, not {len(hand)}.")
    found = find_missing(hand, _read_asked_contract(asked["contract"]), rules)
    melds: JSON = None
    if found.melds is not None:
        melds = [
            {"cards": [FACE_TEXT[card.face] for card in laid.cards], "as": face_texts(laid.faces)}
            for laid in found.melds
        ]
    return {"missing": found.lacking, "melds": melds}


_QUESTIONS: Final = HandQuestions(
    {
        "check": HandQuestion(_check, frozenset({"contract", "melds"}), frozenset({"last"})),
        "missing": HandQuestion(_answer_missing, frozenset({"hand", "contract"})),
    },
    PRESETS,
    load_rules,
)
TOOL: Final = HandTool(tuple(_QUESTIONS.asked), _QUESTIONS.answer)


_read_contract: Final = make_reader(Contract)


def _read_asked_contract(value: object) -> Contract:
    try:
        contract: Contract = _read_contract(value)
    except UNREADABLE:
        raise BadQuestion("A contract is a list of one to three of set and run.") from None
    return contract


def _read_melds(value: object) -> list[LaidMeld]:
    seen: Counter[int] = Counter()
    return [_read_laid(one, seen) for one in read_list(value, "melds")]


def _read_laid(value: object, seen: Counter[int]) -> LaidMeld:
    if not isinstance(value, dict) or value.keys() != {"cards", "as"}:
        raise BadQuestion("A meld has cards and as.")
    cards = _read_cards([read_face(text) for text in read_list(value["cards"], "cards")], seen)
    faces = tuple(read_face(text) for text in read_list(value["as"], "as"))
    if len(faces) != len(cards) or PRINTED_JOKER in faces:
        raise BadQuestion("as has a card for each card, and none of them is a joker.")
    if not cards:
        raise BadQuestion("A meld has cards.")
    return LaidMeld(cards, faces)


def _read_cards(faces: Sequence[int], seen: Counter[int]) -> tuple[Card, ...]:
    """Return the cards with these faces. Equal faces become cards of different packs."""
    cards = []
    for face in faces:
        if seen[face] >= (MOST_JOKERS if face == PRINTED_JOKER else MAX_PACKS):
            raise BadQuestion(f"{FACE_TEXT[face]} is there too often.")
        cards.append(Card.of(face, seen[face]))
        seen[face] += 1
    return tuple(cards)


# --- Records of finished deals, and a second judgement of their claims.


def deal_record(start: DealStart) -> dict[str, JSON]:
    """Return the first part of the deal's record. `deck` is in its order before the shuffle."""
    dealt: Fact = find_event(start.events, DEAL_BEGINS) or {}
    packs, jokers = dealt["packs"], dealt["jokers"]
    cards = [card for card in CARDS[: FACES * packs] if card.face != PRINTED_JOKER]
    cards += [CARDS[number * FACES + PRINTED_JOKER] for number in range(jokers)]
    record = record_deal(start, cards, "open", "hand_size")
    return {**record, "contract": dealt["contract"]}


def step_record(
    events: Sequence[Mapping[str, JSON]], private: Mapping[str, Mapping[str, JSON]]
) -> dict[str, JSON]:
    """Return `{"drew": [cards]}` with the cards that players bought or drew from the closed deck, else {}."""
    drew: list[JSON] = []
    for place, event in enumerate(events):
        own: Mapping[str, Any] = private.get(str(event.get("seat")), {})
        if event["kind"] == "bought":
            drew.append(own["bought"][1])
        elif event["kind"] == "drawn" and event["source"] == "closed":
            # C18: in a turn that the server plays, the card is discarded at once.
            following = events[place + 1 : place + 2]
            is_discarded = bool(following) and following[0]["kind"] == "discarded"
            drew.append(following[0]["card"] if is_discarded else own["drawn"])
    return {"drew": drew} if drew else {}


def review(record: Mapping[str, Any]) -> list[dict[str, JSON]]:
    """Judge again, with the hand tool, each contract that was laid.

    Each entry has `seat`, `groups`, `question`, the tool's `answer`, the table's verdict `counted` (it accepted the
    contract), and whether both `agree`.
    """
    rules = {name: value for name, value in record["rules"].items() if name != "name"}
    is_last = len(record["rules"]["contracts"]) == record.get("deal")
    events = [event for step in record["steps"] for event in step["events"]]
    laid = [event for event in events if event["kind"] == "contract_laid"]
    return [_of_contract(event, record, rules, is_last=is_last) for event in laid]


def _of_contract(event: Fact, record: Fact, rules: Fact, *, is_last: bool) -> dict[str, JSON]:
    melds = [{"cards": strip_packs(meld["cards"]), "as": meld["as"]} for meld in event["melds"]]
    asked = {
        "contract": record["contract"],
        "melds": melds,
        "last": is_last and rules["whole_hand_last"],
        "rules": rules,
    }
    said = ask(TOOL, "check", asked)
    groups = [meld["cards"] for meld in melds]
    # The table has accepted the contract, so both agree if the tool finds it valid.
    agree = said.get("valid") is True
    return claim(event["seat"], groups, "check", said, counted=True, agree=agree)


RECORDS: Final = Records(deal_record, step_record, review)
