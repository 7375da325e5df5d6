"""Rummikub behind the interface that tables play through."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
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
from tables.games.defaults import GameDefaults
from tables.games.overtime import hastened_match
from tables.games.rummikub import (
    advice,
    bots,
    events,
    hand_tool,
    moves,
    permitted,
    play,
    records,
    rulesets,
    seatview,
    storage,
)
from tables.games.rummikub import match as matches
from tables.games.rummikub import texts as words
from tables.games.rummikub.deal import Deal
from tables.games.rummikub.events import Events
from tables.games.rummikub.match import Match, Stage
from tables.games.rummikub.moves import Leave, Move
from tables.games.rummikub.refusals import Refusal, illegal
from tables.games.rummikub.rulesets import RummikubRules
from tables.games.rummikub.words import TEXTS


class Rummikub(GameDefaults):
    code: Final = "rummikub"
    title: Final = words.TITLE
    formats: Final = words.FORMATS
    leaving: Final = Leave()
    questions: Mapping[str, Help] = {"lay": "arrangement"}
    texts: Mapping[str, Text] = TEXTS
    rule_facts: Sequence[RuleFact] = words.RULE_FACTS
    hand_questions: tuple[str, ...] = hand_tool.QUESTIONS

    def start(
        self, *, rules: RummikubRules, seats: tuple[int, ...], toss: bool, seed: bytes, now: Instant
    ) -> tuple[Match, tuple[Event, ...]]:
        return matches.start_match(rules, seats, toss=toss, seed=seed, now=now)

    def acting(self, state: Match) -> tuple[int, ...]:
        return (state.deal.at_turn.seat,) if state.stage is Stage.DEAL else ()

    def members(self, state: Match) -> tuple[int, ...]:
        return state.seats

    def legal(self, state: Match, seat: int) -> tuple[Move, ...]:
        in_deal: tuple[Move, ...] = ()
        if state.stage is Stage.DEAL:
            in_deal = play.legal_in_deal(state.deal, state.rules, seat)
        staying = tuple(move for move in in_deal if not isinstance(move, Leave))
        return staying if _leave_refusal(state, seat) is not None else (*staying, Leave())

    def legal_view(self, state: Match, seat: int) -> list[dict[str, JSON]]:
        if state.stage is Stage.DEAL and (
            told := permitted.legal_view(state.deal, state.rules, seat)
        ):
            return told
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
        """K16: the highest total wins."""
        if state.stage is not Stage.BETWEEN:
            return None
        return matches.end_match(state, matches.decided(state))

    def postpone(self, state: Match, *, by_ms: int) -> Match:
        deal = replace(
            state.deal,
            started_at=state.deal.started_at + by_ms,
            due_at=state.deal.due_at + by_ms,
        )
        due_at = None if state.due_at is None else state.due_at + by_ms
        return replace(state, deal=deal, due_at=due_at)

    def hasten(self, state: Match, *, due_by: Instant, count_by: Instant | None) -> Match:
        return hastened_match(
            state,
            has_turn=True,
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
        return moves.read_draft(rev, draft)

    def answer(self, state: Match, seat: int, question: Mapping[str, JSON]) -> dict[str, JSON]:
        return advice.answer(state.deal, state.rules, seat)

    def dump(self, state: Match) -> bytes:
        return storage.dump(state)

    def load(self, data: bytes) -> Match:
        return storage.load(data)

    def parse_move(self, data: object) -> Move:
        return moves.parse_move(data)

    def move_json(self, move: Move) -> dict[str, JSON]:
        return moves.move_json(move)

    def parse_rules(self, data: object) -> RummikubRules:
        return rulesets.parse_rules(data)

    def rules_json(self, rules: RummikubRules) -> dict[str, JSON]:
        return rulesets.rules_json(rules)

    def presets(self) -> tuple[str, ...]:
        return tuple(rulesets.PRESETS)

    def preset(self, name: str) -> RummikubRules:
        try:
            return rulesets.PRESETS[name]
        except KeyError:
            raise InvalidRules(f"There is no rule set {name!r}.") from None

    def lesson_preset(self) -> str:
        return "lesson"

    def format_of(self, rules: RummikubRules) -> str:
        return "POINTS" if rules.is_per_point else "DEALS"

    def title_of(self, rules: RummikubRules) -> Text:
        return words.title_of(rules)

    def largest_loss(self, rules: RummikubRules) -> int:
        return rulesets.largest_loss(rules)

    def for_event(self, rules: RummikubRules, *, deals: int, qualifiers: int) -> RummikubRules:
        return rulesets.for_event(rules, deals=deals, qualifiers=qualifiers)

    def event_start(self, rules: RummikubRules) -> int:
        return matches.start_of(rules)

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
    if deal.how is None:
        return match, happened
    match, later = matches.conclude_deal(match, deal.how, now)
    return match, (*happened, *later)


def _leave_refusal(match: Match, seat: int) -> Refusal | None:
    if match.stage is Stage.OVER:
        return Refusal.MATCH_OVER
    return None if seat in match.staying else Refusal.NOT_IN_DEAL


def _leave(match: Match, seat: int, now: Instant) -> tuple[Match, Events]:
    """K13: the rack of a deal that runs counts at once; a session's fee stays in the pot."""
    refusal = _leave_refusal(match, seat)
    if refusal is not None:
        raise illegal(refusal)
    event = events.left(seat)
    match = replace(match, left=(*match.left, seat))
    player = match.deal.player(seat)
    if match.stage is Stage.DEAL and player is not None and player.is_playing:
        changed = play.play_in_deal(match.deal, match.rules, seat, Leave(), now)
        match, later = _followed_up(match, changed, now)
        return match, (event, *later)
    if match.stage is Stage.BETWEEN and len(match.staying) == 1:
        match, over = matches.end_match(match, match.staying)
        return match, (event, *over)
    return match, (event,)


RUMMIKUB: Final = Rummikub()
