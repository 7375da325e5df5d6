"""Several Redis servers: each name on one of them, and one that dies takes nothing else along."""

import asyncio
from collections import Counter
from contextlib import closing

import pytest
from channels.layers import get_channel_layer
from django.conf import settings as given
from django.core.cache import cache
from redis import Redis

from config.settings import env
from core.page_notices import PageNotifier, group_of
from core.stores.shards import Shards, shard_of
from core.throttling import Rate, clear, give_back, take
from tables.live import presence
from tests.core.stores.valkeys import running_valkeys
from tests.given import the

COUNT = 3
# Keys of the cache have a prefix and a version before them.
KEY = "json:1:{}"


@pytest.fixture
def servers():
    with running_valkeys(COUNT) as running:
        yield running


@pytest.fixture(autouse=True)
def here(servers, settings):
    """This process has all that it keeps in Redis on the three."""
    sockets = [env.redis_database(one.url, 0) for one in servers]
    kept = [env.redis_database(one.url, 2) for one in servers]
    layer, shared = given.CHANNEL_LAYERS["default"], given.CACHES["default"]
    settings.CHANNEL_LAYERS = {"default": {**layer, "CONFIG": {"hosts": sockets}}}
    settings.CACHES = {"default": {**shared, "LOCATION": kept}}
    settings.PRESENCE_REDIS_URLS = Shards(sockets)
    settings.RATES_REDIS_URLS = Shards(kept)


def name_on(number, pattern="name {}"):
    """A name that lives on this server."""
    return next(name for n in range(1_000) if shard_of(name := pattern.format(n), COUNT) == number)


def keys_on(server, database):
    with closing(Redis.from_url(env.redis_database(server.url, database))) as redis:
        return {key.decode() for key in redis.scan_iter()}


def number_on(number, key):
    return next(n for n in range(1, 1_000) if shard_of(key(n), COUNT) == number)


def test_names_are_spread_over_all_servers():
    found = Counter(shard_of(f"presence:{number}", COUNT) for number in range(3_000))
    assert sorted(found) == [0, 1, 2]
    assert min(found.values()) > 900
    assert {shard_of(f"x{number}", 1) for number in range(50)} == {0}


class TestCache:
    def test_each_key_is_on_one_server(self, servers):
        cache.set_many({f"k{number}": number for number in range(30)}, 60)
        cache.set("alone", 1, 60)
        on_each = [keys_on(server, 2) for server in servers]
        assert all(on_each)
        everywhere = [key for keys in on_each for key in keys]
        assert sorted(everywhere) == sorted(
            {*(KEY.format(f"k{number}") for number in range(30)), KEY.format("alone")}
        )
        found = cache.get_many([*(f"k{number}" for number in range(30)), "none"])
        assert found == {f"k{number}": number for number in range(30)}
        assert cache.add("alone", 2, 60) is False
        assert cache.incr("alone") == 2
        assert cache.touch("alone", 90)
        cache.delete_many([f"k{number}" for number in range(29)])
        assert cache.has_key("k29")
        assert not cache.has_key("k28")
        cache.clear()
        assert [keys_on(server, 2) for server in servers] == [set()] * COUNT

    def test_a_dead_server_takes_its_own_keys_alone(self, servers):
        names = [
            name_on(number, KEY.format("n{}")).removeprefix("json:1:") for number in range(COUNT)
        ]
        for name in names:
            cache.set(name, "before", 60)
        servers[1].kill()
        assert [cache.get(name) for name in names] == ["before", None, "before"]
        for name in names:
            cache.set(name, "after", 60)  # its own are kept by this process
        assert cache.get_many(names) == dict.fromkeys(names, "after")
        assert KEY.format(names[2]) in keys_on(servers[2], 2)


class TestRates:
    def rate(self, number, most=2):
        return Rate(name_on(number, "test:{}"), most, 60)

    def test_rates_of_several_servers_count_all_or_none(self, servers):
        first, second = self.rate(0), self.rate(1, most=1)
        assert take(second).is_allowed
        for _ in range(3):
            refused = take(first, second)
            assert not refused.is_allowed
            assert 0 < refused.pause_seconds <= 60
        # Nothing was counted of the other, whichever was asked first.
        assert [take(first).is_allowed for _ in range(3)] == [True, True, False]
        clear(first.name, second.name)
        both = take(first, second)
        assert both.is_allowed
        give_back(both)
        assert take(second, first).is_allowed

    def test_of_a_dead_server_each_process_counts_for_itself(self, servers):
        rates = [self.rate(number) for number in range(COUNT)]
        assert all(take(rate).is_allowed for rate in rates)
        servers[1].kill()
        assert [take(rates[1]).is_allowed for _ in range(3)] == [True, True, False]
        assert [take(rates[0]).is_allowed for _ in range(2)] == [
            True,
            False,
        ]  # one was counted before
        with closing(Redis.from_url(given.RATES_REDIS_URLS[0])) as redis:
            assert redis.zcard(f"rate:{rates[0].name}") == 2


class TestPresence:
    def test_tables_of_a_dead_server_are_unknown_and_the_others_are_known(self, servers):
        tables = [number_on(number, lambda n: f"presence:{n}") for number in range(COUNT)]
        people = [number_on(number, lambda n: f"page:{n}") for number in range(COUNT)]

        async def look():
            for table in tables:
                presence.heard(table, 0, "socket")
            await presence.write(tables)
            for user in people[:2]:
                await presence.note_page(user)
            before = (await presence.present(tables), await presence.with_page(people))
            servers[0].kill()
            after = (await presence.present(tables), await presence.with_page(people))
            await presence.gone(tables[0], 0, "socket")
            await presence.note_page(people[0])
            await presence.gone(tables[1], 0, "socket")
            parted = await presence.present(tables)
            await presence.close()
            return before, after, parted

        before, after, parted = asyncio.run(look())
        here = frozenset({0})
        first, second, third = people
        assert before == (
            dict.fromkeys(tables, here),
            {first: True, second: True, third: False},
        )
        assert after == (dict.fromkeys(tables[1:], here), {second: True, third: False})
        assert parted == {tables[1]: frozenset(), tables[2]: here}


class Listeners:
    """A listener for a person of each server, told as pages are told: past the layer."""

    def __init__(self):
        self._layer = the(get_channel_layer())
        self._sender = PageNotifier()
        self._channels = {}

    async def join(self):
        for number in range(COUNT):
            user = number_on(number, lambda n: f"asgi__group__{group_of(n)}")
            channel = await self._layer.new_channel()
            await self._layer.group_add(group_of(user), channel)
            self._channels[user] = channel

    async def hear(self, kind):
        heard: list[str | None] = []
        for user, channel in self._channels.items():
            self._sender.take([user], kind)
            try:
                async with asyncio.timeout(3):
                    message = await self._layer.receive(channel)
            except TimeoutError:
                heard.append(None)
            else:
                heard.append(message["message"]["type"])
        return heard


class TestGroups:
    def test_who_is_on_a_living_server_hears_and_the_others_hear_again(self, servers):
        async def listen():
            people = Listeners()
            await people.join()
            assert await people.hear("first") == ["first"] * 3
            servers[1].kill()
            assert await people.hear("second") == ["second", None, "second"]
            servers[1].start()
            await asyncio.sleep(2.5)  # it is left alone for a second
            assert await people.hear("third") == ["third"] * 3

        asyncio.run(listen())
