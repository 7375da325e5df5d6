"""Contract Rummy behind the interface that tables play through."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from tables.games.base import (
    JSON,
    DealStart,
    Event,
    Help,
    Instant,
    InvalidRules,
    Result,
    RuleFact,
    Strength,
    Text,
)
from tables.games.contract import (
    advice,
    bots,
    hand_tool,
    moves,
    play,
    records,
    rulesets,
    seatview,
)
from tables.games.contract import match as matches
from tables.games.contract import texts as words
from tables.games.contract.deal import Deal
from tables.games.contract.match import Match
from tables.games.contract.moves import Leave, Move
from tables.games.contract.rulesets import ContractRules
from tables.games.contract.storage import STORED
from tables.games.contract.words import TEXTS
from tables.games.defaults import legal_templates
from tables.games.rummy.events import Events
from tables.games.rummy.game import LaidGame, free_fields

# What the player fills in freely.
_FREE: Final = {"contract": ("melds",), "lay_off": ("laid",), "arrange": ("rev", "groups")}


class ContractRummy(LaidGame[ContractRules, Move]):
    code: Final = "contract"
    title: Final = words.TITLE
    formats: Final = words.FORMATS
    leaving = Leave()
    anytime_moves: frozenset[str] = frozenset({"never_buy"})
    questions: Mapping[str, Help] = {"arrange": "arrangement"}
    texts: Mapping[str, Text] = TEXTS
    rule_facts: Sequence[RuleFact] = words.RULE_FACTS
    hand_questions: tuple[str, ...] = hand_tool.QUESTIONS

    def start(
        self, *, rules: ContractRules, seats: tuple[int, ...], toss: bool, seed: bytes, now: Instant
    ) -> tuple[Match, tuple[Event, ...]]:
        return matches.start_match(rules, seats, toss=toss, seed=seed, now=now)

    def acting(self, state: Match) -> tuple[int, ...]:
        """C7: while an upcard is offered, everybody who has not answered."""
        if state.deal.window is not None:
            return tuple(state.deal.window.waiting)
        return super().acting(state)

    def legal_in_deal(self, match: Match, seat: int) -> tuple[Move, ...]:
        return play.legal_in_deal(match.deal, match.rules, seat)

    def play_in_deal(
        self, match: Match, seat: int, move: Move, now: Instant
    ) -> tuple[Deal, Events]:
        return play.play_in_deal(match.deal, match.rules, seat, move, now)

    def expire_in_deal(self, match: Match, now: Instant) -> tuple[Deal, Events]:
        return play.expire_in_deal(match.deal, match.rules, now)

    def conclude_deal(self, match: Match, now: Instant) -> tuple[Match, Events]:
        return matches.conclude_deal(match, now)

    def next_deal(self, match: Match, *, seed: bytes, now: Instant) -> tuple[Match, Events]:
        return matches.next_deal(match, seed=seed, now=now)

    def leaders(self, match: Match) -> tuple[int, ...]:
        return matches.leaders(match)

    def legal_view(self, state: Match, seat: int) -> list[dict[str, JSON]]:
        entries = legal_templates([moves.move_json(move) for move in self.legal(state, seat)])
        return free_fields(entries, _FREE)

    def result(self, state: Match) -> Result | None:
        return matches.result_of(state)

    def public_view(self, state: Match) -> dict[str, JSON]:
        return seatview.public_view(state)

    def private_view(self, state: Match, seat: int) -> dict[str, JSON]:
        return seatview.private_view(state, seat)

    def nothing_private(self) -> dict[str, JSON]:
        return dict(seatview.NOTHING_PRIVATE)

    def draft(self, rev: int, draft: object) -> Move:
        return moves.read_arrangement(rev, draft)

    def answer(self, state: Match, seat: int, question: Mapping[str, JSON]) -> dict[str, JSON]:
        return advice.answer(state.deal, state.rules, seat, question)

    def dump(self, state: Match) -> bytes:
        return STORED.dump(state)

    def load(self, data: bytes) -> Match:
        return STORED.load(data)

    def parse_move(self, data: object) -> Move:
        return moves.parse_move(data)

    def move_json(self, move: Move) -> dict[str, JSON]:
        return moves.move_json(move)

    def parse_rules(self, data: object) -> ContractRules:
        return rulesets.parse_rules(data)

    def rules_json(self, rules: ContractRules) -> dict[str, JSON]:
        return rulesets.rules_json(rules)

    def presets(self) -> tuple[str, ...]:
        return tuple(rulesets.PRESETS)

    def preset(self, name: str) -> ContractRules:
        try:
            return rulesets.PRESETS[name]
        except KeyError:
            raise InvalidRules(f"There is no rule set {name!r}.") from None

    def lesson_preset(self) -> str:
        return "lesson"

    def format_of(self, rules: ContractRules) -> str:
        return "POINTS" if rules.per_point else "CONTRACTS"

    def title_of(self, rules: ContractRules) -> Text:
        return words.title_of(rules)

    def largest_loss(self, rules: ContractRules) -> int:
        return rulesets.largest_loss(rules)

    def for_event(self, rules: ContractRules, *, deals: int, qualifiers: int) -> ContractRules:
        return rulesets.for_event(rules, deals=deals, qualifiers=qualifiers)

    def deal_record(self, start: DealStart) -> dict[str, JSON]:
        return records.deal_record(start)

    def step_record(
        self, events: Sequence[Mapping[str, JSON]], private: Mapping[str, Mapping[str, JSON]]
    ) -> dict[str, JSON]:
        return records.step_record(events, private)

    def review(self, record: Mapping[str, JSON]) -> list[dict[str, JSON]]:
        return records.review(record)

    def hand_answer(self, question: str, line: str) -> str:
        return hand_tool.answer(question, line)

    def choose(
        self, view: Mapping[str, JSON], seat: int, *, strength: Strength, rng: Random
    ) -> dict[str, JSON]:
        return bots.choose(view, seat, strength=strength, rng=rng)


CONTRACT: Final = ContractRummy()
