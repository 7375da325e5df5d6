"""Messages that are sent only after the commit."""

import asyncio
import threading
from contextvars import ContextVar

import pytest
from asgiref.sync import sync_to_async
from django.db import transaction

from core.after_commit import call_after_commit, send_after_commit
from core.threads import in_thread
from tests.workers import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
WORD: ContextVar[str] = ContextVar("word", default="")


class UndoneError(Exception):
    """Raised to roll a transaction back."""


def undo(post: "Post", message: str) -> None:
    """Register a message in a transaction that is then rolled back."""
    with transaction.atomic():
        send_after_commit(post.send, message)
        raise UndoneError


class Post:
    """A receiver that keeps each message, with the thread and the context variable of its sender."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.threads: set[threading.Thread] = set()
        self.words: list[str] = []

    async def send(self, message: str) -> None:
        self.taken.append(message)
        self.threads.add(threading.current_thread())
        self.words.append(WORD.get())


@pytest.fixture
def post() -> Post:
    return Post()


def test_messages_are_sent_in_order_after_the_commit(post: Post) -> None:
    with transaction.atomic():
        for number in range(20):
            send_after_commit(post.send, str(number))
        assert post.taken == []
    wait_until(lambda: len(post.taken) == 20)
    assert post.taken == [str(number) for number in range(20)]
    assert threading.current_thread() not in post.threads


def test_a_rollback_or_savepoint_drops_its_own_messages(post: Post) -> None:
    with pytest.raises(UndoneError):
        undo(post, "undone")
    with transaction.atomic():
        send_after_commit(post.send, "before")
        with pytest.raises(UndoneError):
            undo(post, "inside")
        send_after_commit(post.send, "after")
    wait_until(lambda: len(post.taken) == 2)
    assert post.taken == ["before", "after"]


async def test_the_waiting_event_loop_sends_with_the_context_of_the_cause(
    post: Post,
) -> None:
    WORD.set("a trace")
    await in_thread(send_after_commit, post.send, "hello")
    await asyncio.sleep(0)
    assert post.taken == ["hello"]
    assert post.threads == {threading.current_thread()}
    assert post.words == ["a trace"]


async def test_sending_a_message_may_cause_another(post: Post) -> None:
    async def pass_on(message: str) -> None:
        await sync_to_async(send_after_commit)(post.send, message)

    await in_thread(send_after_commit, pass_on, "hello")
    await asyncio.to_thread(wait_until, lambda: post.taken == ["hello"])


def test_a_failed_message_harms_neither_the_commit_nor_the_next(
    post: Post, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(_message: str) -> None:
        raise UndoneError

    with transaction.atomic():
        send_after_commit(fail, "lost")
        send_after_commit(post.send, "next")
    wait_until(lambda: post.taken == ["next"])
    assert "a message was not sent" in caplog.text


def test_a_failed_call_is_logged_and_harms_neither_commit_nor_the_next(
    caplog: pytest.LogCaptureFixture,
) -> None:
    called: list[str] = []

    def fail() -> None:
        raise UndoneError

    with transaction.atomic():
        call_after_commit(fail)
        call_after_commit(called.append, "next")
        assert called == []
    assert called == ["next"]
    assert "UndoneError" in caplog.text
