"""Rate limits counted in Redis, for all processes together.

Reading a count and writing it later would let concurrent requests through, so one script does both. Without Redis
each process counts in its own memory. More requests then get through, but not without limit. The memory also holds
what Redis has allowed to this process. A switch to memory, even for one late answer, therefore does not grant the
whole limit again.
"""

import logging
import time
from collections import OrderedDict, deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from threading import Lock
from typing import Final
from uuid import uuid4

from django.conf import settings
from django.http import HttpRequest
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from core.circuit_breaker import CircuitBreaker

logger = logging.getLogger(__name__)

_NAME = "rate:"
_ANSWERS_WITHIN_SECONDS = 0.5
# For this long after a failure, no request waits for Redis.
_SECONDS_TO_RETRY = 2.0
_NAMES_KEPT = 10_000

# KEYS: one for each rate. ARGV: this request's mark, then limit and milliseconds of each rate. Counts
# towards all rates or none. Returns the milliseconds until there is room, or 0, and the room left in the
# fullest rate.
_TAKE = """
local now = redis.call('TIME')
now = now[1] * 1000 + math.floor(now[2] / 1000)
local pause, left = 0, math.huge
for i, key in ipairs(KEYS) do
  local most, span = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - span)
  local taken = redis.call('ZCARD', key)
  left = math.min(left, most - taken - 1)
  if taken >= most then
    local first = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
    pause = math.max(pause, first[2] and first[2] + span - now or span)
  end
end
if pause > 0 then return {math.ceil(pause), 0} end
for i, key in ipairs(KEYS) do
  redis.call('ZADD', key, now, ARGV[1])
  redis.call('PEXPIRE', key, tonumber(ARGV[2 * i + 1]))
end
return {0, left}
"""


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate limit: at most `most` times within any `seconds` seconds. `name` identifies the counter."""

    name: str
    most: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Taken:
    """The answer of rate limits to one request: units that were counted, or a refusal, which counts nothing.

    Counted units can be given back. A refusal has a pause, after which the caller may try again. `left` is how many
    more units the most exhausted of the rates allows now.
    """

    rates: tuple[Rate, ...]
    mark: str
    pause_seconds: float = 0.0
    left: int = 0

    @property
    def is_allowed(self) -> bool:
        return self.pause_seconds == 0


def take(*rates: Rate) -> Taken:
    """Count one unit for each of these rates, if none of them is exhausted. Return the outcome."""
    mark = uuid4().hex
    return Taken(rates, mark, *_take(rates, mark))


def give_back(taken: Taken) -> None:
    """Give back the units of an allowed request: they count no longer."""
    for rate in taken.rates:
        _in_memory.forget(rate, taken.mark)
    url = settings.RATES_REDIS_URL
    if get_breaker(url).allows():
        with _report_outcome(url), _make_client(url).pipeline(transaction=False) as pipe:
            for rate in taken.rates:
                pipe.zrem(_NAME + rate.name, taken.mark)
            pipe.execute()


def clear(*names: str) -> None:
    """Reset the counts of these rates."""
    url = settings.RATES_REDIS_URL
    for name in names:
        _in_memory.clear(name)
        if get_breaker(url).allows():
            with _report_outcome(url):
                _make_client(url).delete(_NAME + name)


def identify_household(request: HttpRequest) -> str:
    """Return the client's IPv4 address, or the /64 of its IPv6 address.

    One IPv4 address may stand for thousands of phones of one carrier.
    """
    return find_network(_find_remote(request), HOUSEHOLD)


def identify_site(request: HttpRequest) -> str:
    """Return the same as `identify_household`, but with the /48 of IPv6, which covers a site of many households."""
    return find_network(_find_remote(request), SITE)


def get_address(request: HttpRequest) -> str:
    """Return the client's address, or an empty string for a Unix socket. uvicorn has evaluated the proxy's header."""
    address = read_address(_find_remote(request))
    return "" if address is None else str(address)


def _find_remote(request: HttpRequest) -> str:
    remote: str = request.META.get("REMOTE_ADDR", "")
    return remote


def _take(rates: Sequence[Rate], mark: str) -> tuple[float, int]:
    url = settings.RATES_REDIS_URL
    if get_breaker(url).allows():
        keys = [_NAME + rate.name for rate in rates]
        spans = [number for rate in rates for number in (rate.most, rate.seconds * 1000)]
        with _report_outcome(url):
            pause_ms, left = _make_client(url).eval(_TAKE, len(keys), *keys, mark, *spans)
            if pause_ms == 0:
                _in_memory.record(rates, mark)
            return pause_ms / 1000, left
    return _in_memory.take(rates, mark)


@cache
def _make_client(url: str) -> "Redis":
    """Return a client with its own connections, so that a waiting rate limit does not delay other uses of Redis."""
    return Redis.from_url(
        url,
        socket_timeout=_ANSWERS_WITHIN_SECONDS,
        socket_connect_timeout=_ANSWERS_WITHIN_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )


class _Memory:
    """The counts of one process, which are used while Redis is down."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._taken: OrderedDict[str, deque[tuple[float, str]]] = OrderedDict()

    def take(self, rates: Sequence[Rate], mark: str) -> tuple[float, int]:
        now = time.monotonic()
        with self._lock:
            pause = max((self._pause(rate, now) for rate in rates), default=0.0)
            if pause > 0:
                return pause, 0
            self._add(rates, mark, now)
            return 0.0, min(rate.most - len(self._taken[rate.name]) for rate in rates)

    def record(self, rates: Sequence[Rate], mark: str) -> None:
        """Add units that Redis has already allowed."""
        now = time.monotonic()
        with self._lock:
            for rate in rates:
                self._pause(rate, now)
            self._add(rates, mark, now)

    def _add(self, rates: Sequence[Rate], mark: str, now: float) -> None:
        for rate in rates:
            self._taken.setdefault(rate.name, deque()).append((now, mark))
            self._taken.move_to_end(rate.name)
        while len(self._taken) > _NAMES_KEPT:
            self._taken.popitem(last=False)

    def _pause(self, rate: Rate, now: float) -> float:
        """Drop units that are older than the rate's seconds. Return the seconds until a unit is free."""
        taken = self._taken.get(rate.name, deque())
        while taken and taken[0][0] <= now - rate.seconds:
            taken.popleft()
        if len(taken) < rate.most:
            return 0.0
        return taken[0][0] + rate.seconds - now if taken else float(rate.seconds)

    def forget(self, rate: Rate, mark: str) -> None:
        with self._lock:
            if rate.name in self._taken:
                kept = [entry for entry in self._taken[rate.name] if entry[1] != mark]
                self._taken[rate.name] = deque(kept)

    def clear(self, name: str) -> None:
        with self._lock:
            self._taken.pop(name, None)


@cache
def get_breaker(url: str) -> CircuitBreaker:
    """Return a server's circuit breaker. Without it each request would wait for a server that is down."""
    return CircuitBreaker(_SECONDS_TO_RETRY)


@contextmanager
def _report_outcome(url: str) -> Iterator[None]:
    """Report to a server's breaker whether it answered. Catches the errors of a server that is down, with a warning."""
    try:
        yield
    except (RedisError, OSError) as error:
        if get_breaker(url).fail():
            logger.warning("rates are counted in this process alone: %s", error)
    else:
        get_breaker(url).succeed()


_in_memory = _Memory()


# An IPv6 /64 belongs to one household or device; a /48 to one customer of a provider.
HOUSEHOLD: Final = 64
SITE: Final = 48


def read_address(text: str) -> IPv4Address | IPv6Address | None:
    """Return the address, or None for a Unix socket or a text that is not an address."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    # A dual-stack listener shows IPv4 as a part of IPv6, which would be one /64.
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def find_network(text: str, prefix: int) -> str:
    """Return an IPv4 address as it is, or this many bits of an IPv6 address. Empty if the text is not an address."""
    address = read_address(text)
    if isinstance(address, IPv6Address):
        return str(ip_network((address, prefix), strict=False).network_address)
    return "" if address is None else str(address)
