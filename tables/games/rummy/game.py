"""Basic and Contract Rummy behind the interface that tables play through, as far as they are alike."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Generic, TypeVar

from tables.games.base import JSON, Event, Instant
from tables.games.defaults import GameDefaults
from tables.games.overtime import hastened_match
from tables.games.rummy import match as matches
from tables.games.rummy.deal import Phase, player_at
from tables.games.rummy.events import Events, left
from tables.games.rummy.match import Match, Stage
from tables.games.rummy.refusals import Refusal, illegal

MoveT = TypeVar("MoveT")
RulesT = TypeVar("RulesT")


class LaidGame(GameDefaults, Generic[RulesT, MoveT]):
    """A match of deals in which melds are laid on the table. `leaving` is the move to leave."""

    leaving: MoveT
    # Drawing says nothing of a hand; what may be laid or thrown does.
    open_moves: frozenset[str] = frozenset({"draw", "arrange", "leave"})

    # --- What each game says.

    @abstractmethod
    def legal_in_deal(self, match: Any, seat: int) -> tuple[MoveT, ...]:
        """While the deal is played."""

    @abstractmethod
    def play_in_deal(self, match: Any, seat: int, move: MoveT, now: Instant) -> tuple[Any, Events]:
        """The deal after the move, or `IllegalMove`."""

    @abstractmethod
    def expire_in_deal(self, match: Any, now: Instant) -> tuple[Any, Events]:
        """The deal after its deadline, if that has passed."""

    @abstractmethod
    def conclude_deal(self, match: Any, now: Instant) -> tuple[Any, Events]:
        """The match after a deal that has ended."""

    @abstractmethod
    def next_deal(self, match: Any, *, seed: bytes, now: Instant) -> tuple[Any, Events]:
        """The match with its next deal."""

    @abstractmethod
    def leaders(self, match: Any) -> tuple[int, ...]:
        """Who wins if the match ends now."""

    # --- What follows from that.

    def acting(self, state: Any) -> tuple[int, ...]:
        if state.stage is not Stage.DEAL:
            return ()
        return (state.deal.players[state.deal.turn].seat,)

    def members(self, state: Any) -> tuple[int, ...]:
        return tuple(state.seats)

    def legal(self, state: Any, seat: int) -> tuple[MoveT, ...]:
        if _plays(state, seat):
            return self.legal_in_deal(state, seat)
        return () if _leave_refusal(state, seat) is not None else (self.leaving,)

    def play(
        self, state: Any, seat: int, move: MoveT, *, now: Instant, seed: bytes
    ) -> tuple[Any, tuple[Event, ...]]:
        if move == self.leaving:
            return self._leave(state, seat, now)
        if state.stage is Stage.OVER:
            raise illegal(Refusal.MATCH_OVER)
        return self._followed_up(state, self.play_in_deal(state, seat, move, now), now)

    def deadline(self, state: Any) -> Instant | None:
        deadline: Instant | None = (
            state.deal.deadline if state.stage is Stage.DEAL else state.due_at
        )
        return deadline

    def expire(self, state: Any, *, now: Instant, seed: bytes) -> tuple[Any, tuple[Event, ...]]:
        if state.stage is Stage.DEAL:
            return self._followed_up(state, self.expire_in_deal(state, now), now)
        if state.due_at is None or now < state.due_at:
            return state, ()
        return self.next_deal(state, seed=seed, now=now)

    def conclude(self, state: Any) -> tuple[Any, tuple[Event, ...]] | None:
        if state.stage is not Stage.BETWEEN:
            return None
        return matches.end_match(state, self.leaders(state))

    def postpone(self, state: Any, *, by_ms: int) -> Any:
        deal = replace(
            state.deal,
            started_at=state.deal.started_at + by_ms,
            due_at=state.deal.due_at + by_ms,
        )
        due_at = None if state.due_at is None else state.due_at + by_ms
        return replace(state, deal=deal, due_at=due_at)

    def hasten(self, state: Any, *, due_by: Instant, count_by: Instant | None) -> Any:
        """A sale of the upcard keeps its time."""
        return hastened_match(
            state,
            has_turn=state.deal.phase is Phase.TURN,
            due_by=due_by,
            count_by=count_by,
            max_minutes=state.rules.max_minutes,
        )

    def deals(self, state: Any) -> int:
        return int(state.number)

    def _leave(self, match: Any, seat: int, now: Instant) -> tuple[Any, Events]:
        """A hand that is being played is counted first."""
        refusal = _leave_refusal(match, seat)
        if refusal is not None:
            raise illegal(refusal)
        plays = _plays(match, seat)
        match = replace(match, left=(*match.left, seat))
        if plays:
            changed = self.play_in_deal(match, seat, self.leaving, now)
            match, later = self._followed_up(match, changed, now)
        elif match.stage is Stage.BETWEEN and len(match.staying) == 1:
            match, later = matches.end_match(match, match.staying)
        else:
            later = ()
        return match, (left(seat), *later)

    def _followed_up(
        self, match: Any, changed: tuple[Any, Events], now: Instant
    ) -> tuple[Any, Events]:
        """A deal that has just ended is entered into the match."""
        deal, happened = changed
        match = replace(match, deal=deal)
        if deal.phase is not Phase.OVER:
            return match, happened
        match, later = self.conclude_deal(match, now)
        return match, (*happened, *later)


def _plays(match: Match, seat: int) -> bool:
    """Whether the seat plays in a deal that runs."""
    player = player_at(match.deal, seat)
    return match.stage is Stage.DEAL and player is not None and player.is_playing


def _leave_refusal(match: Match, seat: int) -> Refusal | None:
    if match.stage is Stage.OVER:
        return Refusal.MATCH_OVER
    return None if seat in match.staying else Refusal.NOT_IN_DEAL


def free_fields(
    entries: list[dict[str, JSON]], free: Mapping[str, tuple[str, ...]]
) -> list[dict[str, JSON]]:
    """The templates of moves; by kind, fields that the player fills in are null."""
    return [
        {
            name: None if name in free.get(str(entry["kind"]), ()) else value
            for name, value in entry.items()
        }
        for entry in entries
    ]
