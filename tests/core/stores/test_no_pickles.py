"""No data from Redis is unpickled, since a pickle can run code in the process that reads it."""

import pickle
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from channels.layers import get_channel_layer
from django.conf import settings
from django.core.cache import caches
from kombu import Consumer, Producer, Queue
from kombu.exceptions import ContentDisallowed
from redis import Redis

from config.celery import app
from core.sockets.channel_layer import RedisChannelLayer, deserialize
from core.stores.cache import CacheWithReserve, JsonSerializer


class Planted:
    """An object that creates a file when it is unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self):
        return Path.touch, (self.marker,)


@pytest.fixture
def marker(tmp_path):
    return tmp_path / "ran"


@pytest.fixture
def planted(marker):
    text = pickle.dumps(Planted(marker))
    pickle.loads(text)  # noqa: S301 - it does what it should
    marker.unlink()
    return text


def test_the_settings_name_no_serializer_that_unpickles():
    assert settings.SESSION_ENGINE == "django.contrib.sessions.backends.db"
    assert settings.SESSION_SERIALIZER == "django.contrib.sessions.serializers.JSONSerializer"
    assert settings.MESSAGE_STORAGE == "django.contrib.messages.storage.fallback.FallbackStorage"
    for name in settings.CACHES:
        cache: Any = caches[name]
        assert type(cache) is CacheWithReserve
        client: Any = cache._cache
        assert type(client._redis._serializer) is JsonSerializer
    layer: Any = get_channel_layer()
    assert type(layer) is RedisChannelLayer
    assert list(settings.CHANNEL_LAYERS) == ["default"]
    assert set(app.conf.accept_content) == {"json"}
    assert set(app.conf.result_accept_content or {"json"}) == {"json"}
    for kind in ("task", "result", "event"):
        assert app.conf[f"{kind}_serializer"] == "json"


@contextmanager
def plant_in_cache(planted, *names):
    cache = caches["default"]
    with Redis.from_url(settings.CACHES["default"]["LOCATION"]) as redis:
        for name in names:
            redis.set(cache.make_key(name), planted, ex=60)
    try:
        yield cache
    finally:
        cache.delete_many(names)


def test_a_pickle_in_the_cache_is_a_miss(planted, marker):
    with plant_in_cache(planted, "planted", "site") as cache:
        assert cache.get("planted") is None
        assert cache.get_many(["planted"]) == {"planted": None}
        cache.set("planted", {"of": "ours"}, 60)
        assert cache.get("planted") == {"of": "ours"}
    assert not marker.exists()


@pytest.mark.django_db
def test_a_page_is_shown_beside_a_planted_pickle(client, planted, marker):
    names = ("site", "site_notices", "people-playing", "people-seated")
    with plant_in_cache(planted, *names):
        assert client.get("/").status_code == 200
    assert not marker.exists()


def test_a_pickle_among_the_jobs_is_not_read(planted, marker):
    queue = Queue("planted", durable=False, auto_delete=True)
    refused: list[Any] = []
    with app.connection_for_read() as connection, connection.channel() as channel:
        bound = queue(channel)
        bound.declare()
        Producer(channel).publish(
            planted,
            routing_key=queue.name,
            content_type="application/x-python-serialize",
            content_encoding="binary",
        )
        with Consumer(channel, [bound], accept=app.conf.accept_content, on_message=refused.append):
            connection.drain_events(timeout=5)
        bound.delete()
    [message] = refused
    with pytest.raises(ContentDisallowed):
        message.decode()
    assert not marker.exists()


def test_a_pickle_among_the_hints_is_not_read(planted, marker):
    with pytest.raises(msgspec.DecodeError):
        deserialize(planted)
    assert not marker.exists()
