"""Gin rummy behind the interface that tables play through."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from tables.games.analyses import DealAnalysis
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
from tables.games.defaults import GameDefaults
from tables.games.gin import (
    advice,
    bots,
    hand_tool,
    moves,
    permitted,
    play,
    records,
    rulesets,
    seatview,
    storage,
)
from tables.games.gin import match as matches
from tables.games.gin import texts as words
from tables.games.gin.analysis.report import ANALYSIS
from tables.games.gin.deal import Deal, Phase
from tables.games.gin.events import Events, left
from tables.games.gin.match import Match, Stage
from tables.games.gin.moves import Leave, Move
from tables.games.gin.refusals import Refusal, illegal
from tables.games.gin.rulesets import GinRules
from tables.games.gin.words import TEXTS
from tables.games.overtime import hastened_match


class GinRummy(GameDefaults):
    code: Final = "gin"
    title: Final = words.TITLE
    formats: Final = words.FORMATS
    leaving: Final = Leave()
    questions: Mapping[str, Help] = {"arrange": "arrangement", "defend": "arrangement"}
    texts: Mapping[str, Text] = TEXTS
    rule_facts: Sequence[RuleFact] = words.RULE_FACTS
    # All but those whose entry lists cards of a hand.
    open_moves: frozenset[str] = frozenset({"draw", "pass", "defend", "arrange", "leave"})
    hand_questions: tuple[str, ...] = hand_tool.QUESTIONS
    analysis: DealAnalysis | None = ANALYSIS

    def start(
        self, *, rules: GinRules, seats: tuple[int, ...], toss: bool, seed: bytes, now: Instant
    ) -> tuple[Match, tuple[Event, ...]]:
        return matches.start_match(rules, seats, toss=toss, seed=seed, now=now)

    def acting(self, state: Match) -> tuple[int, ...]:
        return (state.deal.waiting_for.seat,) if state.stage is Stage.DEAL else ()

    def members(self, state: Match) -> tuple[int, ...]:
        return state.seats

    def legal(self, state: Match, seat: int) -> tuple[Move, ...]:
        if state.stage is Stage.DEAL:
            return play.legal_in_deal(state.deal, state.rules, seat)
        return () if _leave_refusal(state, seat) is not None else (Leave(),)

    def legal_view(self, state: Match, seat: int) -> list[dict[str, JSON]]:
        if state.stage is Stage.DEAL:
            return permitted.legal_view(state.deal, state.rules, seat)
        return [{"kind": "leave"}] if _leave_refusal(state, seat) is None else []

    def play(
        self, state: Match, seat: int, move: Move, *, now: Instant, seed: bytes
    ) -> tuple[Match, tuple[Event, ...]]:
        if isinstance(move, Leave):
            return _leave(state, seat, now)
        if state.stage is Stage.OVER:
            raise illegal(Refusal.MATCH_OVER)
        return _followed_up(state, play.play_in_deal(state.deal, state.rules, seat, move, now), now)

    def deadline(self, state: Match) -> Instant | None:
        return state.deal.deadline if state.stage is Stage.DEAL else state.due_at

    def expire(self, state: Match, *, now: Instant, seed: bytes) -> tuple[Match, tuple[Event, ...]]:
        if state.stage is Stage.DEAL:
            return _followed_up(state, play.expire_in_deal(state.deal, state.rules, now), now)
        if state.due_at is None or now < state.due_at:
            return state, ()
        return matches.next_deal(state, seed=seed, now=now)

    def conclude(self, state: Match) -> tuple[Match, tuple[Event, ...]] | None:
        """G14: the higher score wins; of equals see `match.leaders`."""
        if state.stage is not Stage.BETWEEN:
            return None
        return matches.end_match(state, matches.leaders(state))

    def postpone(self, state: Match, *, by_ms: int) -> Match:
        deal = replace(
            state.deal,
            started_at=state.deal.started_at + by_ms,
            due_at=state.deal.due_at + by_ms,
        )
        due_at = None if state.due_at is None else state.due_at + by_ms
        return replace(state, deal=deal, due_at=due_at)

    def hasten(self, state: Match, *, due_by: Instant, count_by: Instant | None) -> Match:
        """Answering a knock keeps its time."""
        return hastened_match(
            state,
            has_turn=state.deal.phase in (Phase.UPCARD, Phase.TURN),
            due_by=due_by,
            count_by=count_by,
            max_minutes=state.rules.max_minutes,
        )

    def deals(self, state: Match) -> int:
        return state.number

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
        return storage.dump(state)

    def load(self, data: bytes) -> Match:
        return storage.load(data)

    def parse_move(self, data: object) -> Move:
        return moves.parse_move(data)

    def move_json(self, move: Move) -> dict[str, JSON]:
        return moves.move_json(move)

    def parse_rules(self, data: object) -> GinRules:
        return rulesets.parse_rules(data)

    def rules_json(self, rules: GinRules) -> dict[str, JSON]:
        return rulesets.rules_json(rules)

    def presets(self) -> tuple[str, ...]:
        return tuple(rulesets.PRESETS)

    def preset(self, name: str) -> GinRules:
        try:
            return rulesets.PRESETS[name]
        except KeyError:
            raise InvalidRules(f"There is no rule set {name!r}.") from None

    def lesson_preset(self) -> str:
        return "lesson"

    def format_of(self, rules: GinRules) -> str:
        return "POINTS" if rules.is_per_point else "GAME"

    def title_of(self, rules: GinRules) -> Text:
        return words.title_of(rules)

    def largest_loss(self, rules: GinRules) -> int:
        return rulesets.largest_loss(rules)

    def for_event(self, rules: GinRules, *, deals: int, qualifiers: int) -> GinRules:
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


def _followed_up(match: Match, changed: tuple[Deal, Events], now: Instant) -> tuple[Match, Events]:
    """A deal that has just ended is entered into the match."""
    deal, happened = changed
    match = replace(match, deal=deal)
    if deal.phase is not Phase.OVER or deal.outcome is None:
        return match, happened
    match, later = matches.conclude_deal(match, deal.outcome, now)
    return match, (*happened, *later)


def _leave_refusal(match: Match, seat: int) -> Refusal | None:
    if match.stage is Stage.OVER:
        return Refusal.MATCH_OVER
    return None if seat in match.seats else Refusal.NOT_IN_DEAL


def _leave(match: Match, seat: int, now: Instant) -> tuple[Match, Events]:
    """G16: a deal that runs is ended first; a game's pot goes to the other one."""
    refusal = _leave_refusal(match, seat)
    if refusal is not None:
        raise illegal(refusal)
    event = left(seat)
    match = replace(match, left=seat)
    if match.stage is Stage.BETWEEN:
        match, over = matches.end_match(match, (match.other(seat),))
        return match, (event, *over)
    changed = play.play_in_deal(match.deal, match.rules, seat, Leave(), now)
    match, later = _followed_up(match, changed, now)
    return match, (event, *later)


GIN: Final = GinRummy()
