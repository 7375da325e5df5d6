"""Table clocks that run in a test's event loop."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from core.threads import in_thread
from tables.live.clock import Clock


@asynccontextmanager
async def run_clocks(count: int = 1) -> AsyncIterator[None]:
    clocks = [Clock() for _ in range(count)]
    running = asyncio.gather(*(clock.run() for clock in clocks))
    try:
        yield
    finally:
        for clock in clocks:
            clock.stop()
        await asyncio.wait_for(running, 20)


async def wait_for_clocks(
    reached: Callable[[], bool],
    *,
    seconds: int = 60,
    meanwhile: Callable[[], None] = lambda: None,
) -> None:
    """Poll the database until `reached` returns true. The clocks run meanwhile."""
    for _ in range(seconds * 20):
        if await in_thread(reached):
            return
        await in_thread(meanwhile)
        await asyncio.sleep(0.05)
    raise AssertionError("the clocks have not come to that")
