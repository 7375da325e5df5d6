"""The course of a run: players play, faults hit their site one after another, and everybody reconnects."""

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, TypeAlias

from bench.figures import compute_percentile, spread
from bench.processes import SiteError

if TYPE_CHECKING:
    from bench.chaos.players import Player

SECONDS_TO_RECOVER = 60
# Before this, nobody may have noticed a killed process.
SECONDS_TO_SHOW = 0.7
SENTENCES = 20


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that hit a site.

    `done` is when the process was dead, released or replaced, `since` the time from which absences are
    measured, and `ended` when everybody was back.
    """

    what: str
    began: float
    done: float
    since: float
    ended: float


# Computes an addition to a line of the report from faults of one kind and the p95 of the seconds away.
More: TypeAlias = Callable[[Sequence[Fault], float], str]


class Course:
    """The players, the faults of their site, and the problems found."""

    def __init__(self, players: Sequence["Player"]) -> None:
        self.players = players
        self.faults: list[Fault] = []
        # Each sentence once, however often it is found.
        self.wrong: dict[str, None] = {}
        self.checks = 0

    def note(self, *sentences: str) -> None:
        self.wrong |= dict.fromkeys(sentences)

    @asynccontextmanager
    async def play(self) -> AsyncIterator[None]:
        """Let all players play, and check the stored data at the end."""
        over = asyncio.Event()
        playing = [asyncio.create_task(player.play(over)) for player in self.players]
        await self._await_everybody("the start")
        yield
        await self._await_everybody("all")
        over.set()
        await asyncio.gather(*playing)
        await self.look()

    async def hit(self, what: str, act: Callable[[], object], *, is_outage: bool = False) -> bool:
        """Inject a fault and wait until every player is back.

        Return False if there was nothing to hit. With `is_outage`, absences are measured from the end of the
        fault, because nobody can be back earlier.
        """
        began = time.monotonic()
        try:
            if await asyncio.to_thread(act) is False:
                return False
        except SiteError as error:
            self.note(f"{what}: {error}")
        done = time.monotonic()
        await asyncio.sleep(SECONDS_TO_SHOW)
        await self._await_everybody(what)
        ended = time.monotonic()
        self.faults.append(Fault(what, began, done, done if is_outage else began, ended))
        print(f"{time.strftime('%X')} {what:14} {ended - began:5.1f} s", flush=True)
        return True

    async def _await_everybody(self, what: str) -> None:
        away, until = self.players, time.monotonic() + SECONDS_TO_RECOVER
        while away and time.monotonic() < until:
            await asyncio.sleep(0.1)
            away = [player for player in away if not player.is_back(time.monotonic())]
        if away:
            at = sorted(player.table_id for player in away)
            self.note(f"stuck: after {what} nobody is back at tables {at}")

    async def look(self) -> None:
        """Check the stored data, and give chips to players who have few. Retry if the database has just been hit."""
        from bench.chaos.checks import check  # noqa: PLC0415 - needs the settings
        from bench.sitting import bring_more  # noqa: PLC0415

        for _ in range(20):
            try:
                wrong = await asyncio.to_thread(check, self.players)
                await asyncio.to_thread(bring_more, self.players)
            except Exception as error:  # noqa: BLE001 - whatever the database says
                reason = str(error).partition("\n")[0]
                print(f"     the check has to wait: {reason}", flush=True)
                await asyncio.sleep(1)
            else:
                self.note(*wrong)
                self.checks += 1
                return
        self.note("a check could not be made within twenty tries")

    # --- the report -------------------------------------------------------------------------------

    def seconds_away(self, *faults: Fault) -> list[float]:
        """Return how long players were away, for each player and each fault that the player noticed, ascending."""
        times = (
            player.seconds_away(fault.since, fault.ended)
            for fault in faults
            for player in self.players
        )
        return sorted(seconds for seconds in times if seconds)

    def report(self, more: More = lambda *_: "") -> str:
        """Return the totals, and a line for each kind of fault."""
        acked = sum(len(player.acked) for player in self.players)
        waits = [1000 * (until - since) for one in self.players for since, until in one.waits]
        kinds: defaultdict[str, list[Fault]] = defaultdict(list)
        for fault in self.faults:
            kinds[fault.what].append(fault)
        sums = (
            f"{acked} moves acknowledged: {self._count('lost')} lost, {self._count('doubled')} doubled;"
            f" ledger {self._count('ledger')} times off; secrets seen {self._count('secret')};"
            f" {self.checks} checks, {len(self.wrong)} things wrong"
        )
        lines = [self._line(kind, faults, more) for kind, faults in kinds.items()]
        refused = sum((Counter(player.refused) for player in self.players), Counter())
        answered = f"moves answered after {spread(waits)}; refused: {dict(refused)}"
        return "\n".join([sums, answered, *lines, *list(self.wrong)[:SENTENCES]])

    def _count(self, word: str) -> int:
        return sum(sentence.startswith(word) for sentence in self.wrong)

    def _line(self, kind: str, faults: Sequence[Fault], more: More) -> str:
        times = self.seconds_away(*faults) or [0.0]
        lasted = [fault.done - fault.began for fault in faults]
        p95 = compute_percentile(times, 95)
        return (
            f"{kind:14} ({len(faults)}), over after p50 {median(lasted):.2f} longest"
            f" {max(lasted):.2f} s; noticed by {sum(map(bool, times))} of"
            f" {len(faults) * len(self.players)} players, away p50 {median(times):.2f} p95 {p95:.2f}"
            f" longest {times[-1]:.2f} s{more(faults, p95)}"
        )
