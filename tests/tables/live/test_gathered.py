"""Shared batches of work whose callers are cancelled."""

import asyncio
from collections.abc import Collection

import pytest

from tables.live.presence import Gathered


class Work:
    """Batch function that waits for a signal, and records the items it was given and has finished."""

    def __init__(self) -> None:
        self.given: list[set[str]] = []
        self.done: list[str] = []
        self.may_go_on = asyncio.Event()

    async def __call__(self, items: Collection[str]) -> None:
        self.given.append(set(items))
        await self.may_go_on.wait()
        self.done.extend(items)


async def begin(gathered: Gathered[str], *items: str) -> "asyncio.Task[None]":
    task = asyncio.create_task(gathered.do(items))
    await asyncio.sleep(0)
    return task


async def test_items_added_during_a_batch_are_done_together() -> None:
    work = Work()
    gathered = Gathered(work)
    tasks = [await begin(gathered, name) for name in ("first", "second", "third", "fourth")]
    work.may_go_on.set()
    await asyncio.gather(*tasks)
    assert work.given == [{"first"}, {"second", "third", "fourth"}]
    assert sorted(work.done) == ["first", "fourth", "second", "third"]


async def test_a_batch_is_finished_when_its_worker_is_cancelled() -> None:
    work = Work()
    gathered = Gathered(work)
    first = await begin(gathered, "first")
    second, third = await begin(gathered, "second"), await begin(gathered, "third")
    first.cancel()  # the second caller continues with all items
    await asyncio.sleep(0.01)
    assert work.given == [{"first"}, {"first", "second", "third"}]
    second.cancel()
    await asyncio.sleep(0.01)
    work.may_go_on.set()
    await third
    assert "third" in work.done
    for gone in (first, second):
        with pytest.raises(asyncio.CancelledError):
            await gone


async def test_a_batch_of_another_event_loop_does_not_wait() -> None:
    work = Work()
    gathered = Gathered(work)
    here = await begin(gathered, "here")

    async def do_there() -> None:
        work.may_go_on = asyncio.Event()
        work.may_go_on.set()
        await gathered.do(["there"])

    await asyncio.to_thread(asyncio.run, do_there())
    assert work.done == ["there"]
    here.cancel()
    with pytest.raises(asyncio.CancelledError):
        await here
