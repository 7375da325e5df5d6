"""A failing server is skipped for a while, then tried by one caller at a time."""

import time
from typing import Any

import pytest

from core.circuit_breaker import CircuitBreaker


@pytest.fixture
def clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def test_a_breaker_opens_on_failure_and_lets_one_caller_retry(clock):
    breaker: Any = CircuitBreaker(2)
    assert breaker.allows()
    assert not breaker.is_open
    assert breaker.fail()
    assert breaker.is_open
    clock[0] += 1.9
    assert not breaker.allows()
    clock[0] += 0.1
    assert [breaker.allows(), breaker.allows()] == [True, False]
    assert not breaker.fail()  # it was already open
    clock[0] += 2
    assert breaker.allows()
    assert breaker.succeed()
    assert not breaker.succeed()
    assert [breaker.allows(), breaker.allows()] == [True, True]
