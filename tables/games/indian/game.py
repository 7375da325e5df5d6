"""13-card Indian rummy behind the interface that tables play through."""

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
    Result,
    RuleFact,
    Strength,
    Text,
)
from tables.games.defaults import GameDefaults
from tables.games.fairplay import FairPlay
from tables.games.indian import (
    advice,
    bots,
    hand_tool,
    intermission,
    moves,
    permitted,
    play,
    records,
    rulesets,
    seatview,
    storage,
    texts,
    words,
)
from tables.games.indian import match as matches
from tables.games.indian.analysis.report import ANALYSIS
from tables.games.indian.deal import Deal, Phase
from tables.games.indian.deciding import best_of
from tables.games.indian.events import Events
from tables.games.indian.fairplay.tracing import FAIR_PLAY
from tables.games.indian.first_deal import LESSON_SEED
from tables.games.indian.match import Match, Membership, Stage
from tables.games.indian.moves import AnswerSplit, Arrange, Drop, Leave, Move, OfferSplit, Rejoin
from tables.games.indian.puzzles.finding import PUZZLES
from tables.games.indian.reckoning import conclude_deal
from tables.games.indian.refusals import Refusal, illegal
from tables.games.indian.rulesets import RuleSet
from tables.games.overtime import hastened_match
from tables.games.puzzles import DealPuzzles


class IndianRummy(GameDefaults):
    code: Final = "indian"
    title: Final = texts.TITLE
    formats: Final = texts.FORMATS
    leaving: Final = Leave()
    questions: Mapping[str, Help] = {"arrange": "arrangement", "judge": "verdict"}
    rule_facts: Sequence[RuleFact] = texts.RULE_FACTS
    texts: Mapping[str, Text] = words.TEXTS  # last: it hides the module
    # All but those whose entry lists cards of a hand.
    open_moves: frozenset[str] = frozenset(
        [
            "draw",
            "drop",
            "declare",
            "show",
            "arrange",
            "leave",
            "rejoin",
            "offer_split",
            "answer_split",
        ]
    )
    hand_questions: tuple[str, ...] = tuple(sorted(hand_tool.FIELDS))
    analysis: DealAnalysis | None = ANALYSIS
    puzzles: DealPuzzles | None = PUZZLES
    fair_play: FairPlay | None = FAIR_PLAY

    def start(
        self, *, rules: RuleSet, seats: tuple[int, ...], toss: bool, seed: bytes, now: Instant
    ) -> tuple[Match, tuple[Event, ...]]:
        return matches.start_match(rules, seats, toss=toss, seed=seed, now=now)

    def acting(self, state: Match) -> tuple[int, ...]:
        if state.question is not None:
            return state.question.waiting
        return play.acting_in_deal(state.deal) if state.stage is Stage.DEAL else ()

    def members(self, state: Match) -> tuple[int, ...]:
        return tuple(standing.seat for standing in state.standings)

    def fees_charged(self, state: Match) -> dict[int, int]:
        return {standing.seat: standing.entries for standing in state.standings}

    def legal(self, state: Match, seat: int) -> tuple[Move, ...]:
        if _leave_refusal(state, seat) is not None:
            return ()
        in_deal = play.legal_in_deal(state.deal, state.deal_rules, seat)
        return (
            *(move for move in in_deal if not isinstance(move, Leave)),
            *intermission.legal_between(state, seat),
            Leave(),
        )

    def legal_view(self, state: Match, seat: int) -> list[dict[str, JSON]]:
        return permitted.legal_view(state, seat)

    def play(
        self, state: Match, seat: int, move: Move, *, now: Instant, seed: bytes
    ) -> tuple[Match, tuple[Event, ...]]:
        if isinstance(move, Leave):
            return _leave(state, seat, now)
        if state.stage is Stage.OVER:
            raise illegal(Refusal.MATCH_OVER)
        if isinstance(move, Rejoin | OfferSplit | AnswerSplit):
            return intermission.play_between(state, seat, move, now)
        changed = play.play_in_deal(state.deal, state.deal_rules, seat, move, now)
        return _followed_up(state, changed, now)

    def deadline(self, state: Match) -> Instant | None:
        return state.deal.deadline if state.stage is Stage.DEAL else state.due_at

    def expire(self, state: Match, *, now: Instant, seed: bytes) -> tuple[Match, tuple[Event, ...]]:
        if state.stage is Stage.DEAL:
            changed = play.expire_in_deal(state.deal, state.deal_rules, now)
            return _followed_up(state, changed, now)
        if state.due_at is None or now < state.due_at:
            return state, ()
        if state.stage is Stage.BETWEEN:
            return matches.next_deal(state, seed=seed, now=now)
        return intermission.expire_intermission(state, now)

    def deferrable(self, state: Match, seat: int) -> tuple[Move, ...]:
        """A drop, until the deal is over for this seat or its rules know none."""
        player = state.deal.player(seat) if state.stage is Stage.DEAL else None
        may_drop = (
            state.deal_rules.first_drop is not None or state.deal_rules.middle_drop is not None
        )
        return (Drop(),) if player is not None and player.is_playing and may_drop else ()

    def propose(self, state: Match, *, now: Instant) -> tuple[Match, tuple[Event, ...]] | None:
        return intermission.propose_split(state, now)

    def conclude(self, state: Match) -> tuple[Match, tuple[Event, ...]] | None:
        if state.stage is not Stage.BETWEEN:
            return None
        return matches.end_match(state, dict.fromkeys(best_of(state), 1))

    def shares_offered(self, state: Match) -> Mapping[int, int] | None:
        is_between = state.stage in (Stage.BETWEEN, Stage.SPLIT)
        return intermission.parts_of_split(state) if is_between else None

    def postpone(self, state: Match, *, by_ms: int) -> Match:
        deal = replace(
            state.deal,
            started_at=state.deal.started_at + by_ms,
            due_at=state.deal.due_at + by_ms,
        )
        due_at = None if state.due_at is None else state.due_at + by_ms
        return replace(state, deal=deal, due_at=due_at)

    def hasten(self, state: Match, *, due_by: Instant, count_by: Instant | None) -> Match:
        """Declaring and showing keep their time."""
        return hastened_match(
            state,
            has_turn=state.deal.phase is Phase.TURN,
            due_by=due_by,
            count_by=count_by,
            max_minutes=state.deal_rules.max_minutes,
        )

    def deals(self, state: Match) -> int:
        return state.number

    def public_view(self, state: Match) -> dict[str, JSON]:
        return seatview.public_view(state)

    def private_view(self, state: Match, seat: int) -> dict[str, JSON]:
        return seatview.private_view(state, seat)

    def nothing_private(self) -> dict[str, JSON]:
        return {"hand": [], "groups": []}

    def draft(self, rev: int, draft: object) -> Move:
        return moves.parse_move({"kind": Arrange.kind, "rev": rev, "groups": draft})

    def answer(self, state: Match, seat: int, question: Mapping[str, JSON]) -> dict[str, JSON]:
        """`arrange`: `{"groups"}` of the hand at its least count. `judge` with `groups`: `valid`,
        `kinds`, `reason`, `failed_group` and the `points` that declaring them would cost."""
        if state.stage is not Stage.DEAL:
            raise illegal(Refusal.DEAL_OVER)  # there is no hand to be helped with
        if question.get("kind") == "arrange":
            best = advice.best_arrangement(state.deal, state.deal_rules, seat)
            return {"groups": seatview.groups_json(best)}
        groups = question.get("groups")
        return advice.verdict(state.deal, state.deal_rules, seat, groups)

    def result(self, state: Match) -> Result | None:
        return matches.result_of(state)

    def dump(self, state: Match) -> bytes:
        return storage.dump(state)

    def load(self, data: bytes) -> Match:
        return storage.load(data)

    def parse_move(self, data: object) -> Move:
        return moves.parse_move(data)

    def move_json(self, move: Move) -> dict[str, JSON]:
        return moves.move_json(move)

    def parse_rules(self, data: object) -> RuleSet:
        return rulesets.parse_rules(data)

    def rules_json(self, rules: RuleSet) -> dict[str, JSON]:
        return rulesets.rules_json(rules)

    def presets(self) -> tuple[str, ...]:
        return tuple(rulesets.PRESETS)

    def preset(self, name: str) -> RuleSet:
        return rulesets.RULES.preset(name)

    def lesson_preset(self) -> str:
        return "lesson"

    def lesson_seed(self) -> bytes:
        return LESSON_SEED

    def format_of(self, rules: RuleSet) -> str:
        return rulesets.format_of(rules)

    def title_of(self, rules: RuleSet) -> Text:
        return texts.title_of(rules)

    def largest_loss(self, rules: RuleSet) -> int:
        return rulesets.largest_loss(rules)

    def for_event(self, rules: RuleSet, *, deals: int, qualifiers: int) -> RuleSet:
        return rulesets.for_event(rules, deals=deals, qualifiers=qualifiers)

    def at_stake(self, rules: RuleSet, *, point_chips: int, stacks: Sequence[int]) -> RuleSet:
        return rulesets.at_stake(rules, point_chips=point_chips, stacks=stacks)

    def event_start(self, rules: RuleSet) -> int:
        return rulesets.event_start(rules)

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
    if deal.phase is not Phase.OVER:
        return match, happened
    match, later = conclude_deal(match, now)
    return match, (*happened, *later)


def _leave_refusal(match: Match, seat: int) -> Refusal | None:
    if match.stage is Stage.OVER:
        return Refusal.MATCH_OVER
    standing = match.standing(seat)
    if standing is None:
        return Refusal.NOT_IN_DEAL
    return Refusal.ALREADY_LEFT if standing.membership is Membership.LEFT else None


def _leave(match: Match, seat: int, now: Instant) -> tuple[Match, Events]:
    """Who has nothing more to play in this deal still leaves the match."""
    refusal = _leave_refusal(match, seat)
    if refusal is not None:
        raise illegal(refusal)
    match, left = intermission.leave_match(match, seat, now)
    player = match.deal.player(seat)
    if match.stage is not Stage.DEAL or player is None or not player.is_playing:
        return match, left
    changed = play.play_in_deal(match.deal, match.deal_rules, seat, Leave(), now)
    match, later = _followed_up(match, changed, now)
    return match, (*left, *later)


INDIAN: Final = IndianRummy()
