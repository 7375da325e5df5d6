"""Settings from environment variables, and secrets in files that these variables name."""

import re
from pathlib import Path

import pytest
import redis
from django.core.exceptions import ImproperlyConfigured

from config.settings import env


@pytest.fixture
def secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "secret"
    monkeypatch.setenv("PLACE_OF_TEST_FILE", str(path))
    monkeypatch.delenv("PLACE_OF_TEST", raising=False)
    return path


@pytest.mark.parametrize(
    ("written", "read"), [("$ecret\n", "$ecret"), ("two\nlines\n\n", "two\nlines\n"), ("", "")]
)
def test_a_secret_is_read_from_the_named_file(secret, written, read):
    secret.write_text(written)
    assert env.text("PLACE_OF_TEST") == read


def test_numbers_words_and_switches_are_read_from_the_file(secret):
    secret.write_text("12\n")
    assert env.number("PLACE_OF_TEST", 3) == 12
    assert env.words("PLACE_OF_TEST") == ["12"]
    secret.write_text("off\n")
    assert env.flag("PLACE_OF_TEST", default=True) is False


def test_choices_keep_their_order_and_the_required_one(monkeypatch):
    offered = {"en": "English", "hi": "Hindi", "te": "Telugu"}
    everything = ["en", "hi", "te"]
    for written, chosen in (("", everything), ("te,hi", everything), ("te", ["en", "te"])):
        monkeypatch.setenv("PLACE_OF_TEST", written)
        assert env.choices("PLACE_OF_TEST", offered, always="en") == chosen
    monkeypatch.setenv("PLACE_OF_TEST", "te,xx")
    with pytest.raises(ImproperlyConfigured, match="PLACE_OF_TEST knows en, hi, te, not 'xx'"):
        env.choices("PLACE_OF_TEST", offered, always="en")


def test_a_variable_is_not_expanded(monkeypatch):
    monkeypatch.setenv("PLACE_OF_TEST", "$HOME")
    assert env.text("PLACE_OF_TEST", "other") == "$HOME"
    monkeypatch.delenv("PLACE_OF_TEST")
    assert env.text("PLACE_OF_TEST", "other") == "other"


def test_a_variable_and_its_file_exclude_each_other(secret, monkeypatch):
    secret.write_text("one")
    monkeypatch.setenv("PLACE_OF_TEST", "two")
    with pytest.raises(ImproperlyConfigured, match="both set"):
        env.text("PLACE_OF_TEST")


def test_a_missing_secret_file_stops_the_start(secret):
    with pytest.raises(ImproperlyConfigured, match="PLACE_OF_TEST_FILE cannot be read"):
        env.text("PLACE_OF_TEST")


@pytest.mark.parametrize(
    ("url", "host", "port", "options"),
    [
        ("postgresql://u:p@db:6000/x", "db", "6000", {}),
        ("postgresql://u:p@db/x", "db", "", {}),
        ("postgresql://u:p@[::1]:6000/x", "::1", "6000", {}),
        ("postgresql://u:p@/x?host=/a,/b", "/a,/b", "", {}),
        (
            "postgresql://u:p@one,two/x?target_session_attrs=read-write",
            "one,two",
            "",
            {"target_session_attrs": "read-write"},
        ),
        ("postgresql://u:p%40@one:6000,two,[::1]:7000/x", "one,two,::1", "6000,5432,7000", {}),
    ],
)
def test_a_database_may_have_several_hosts(url, host, port, options):
    read = env.database(url, options={})
    assert (read["HOST"], read["PORT"], read["OPTIONS"]) == (host, port, options)
    assert (read["NAME"], read["USER"], read["PASSWORD"][0]) == ("x", "u", "p")


@pytest.mark.parametrize(
    "url", ["mysql://u:p@db/x", "postgresql://u:p@db/", "postgresql://u:p@[/x", ""]
)
def test_an_invalid_database_url_is_refused_without_its_password(url):
    with pytest.raises(ImproperlyConfigured, match="must look like") as refused:
        env.database(url, options={})
    assert "u:p" not in str(refused.value)


def test_a_port_is_a_number():
    with pytest.raises(ImproperlyConfigured, match="port"):
        env.database("postgresql://u:p@one:6000,two:x/y", options={})


def test_a_choice_defaults_to_its_first_word(monkeypatch):
    monkeypatch.delenv("CHANNEL_LAYER", raising=False)
    assert env.choose("CHANNEL_LAYER", ("redis", "nats")) == "redis"
    monkeypatch.setenv("CHANNEL_LAYER", "nats")
    assert env.choose("CHANNEL_LAYER", ("redis", "nats")) == "nats"
    monkeypatch.setenv("CHANNEL_LAYER", "rabbit")
    with pytest.raises(ImproperlyConfigured, match="CHANNEL_LAYER knows redis, nats, not 'rabbit'"):
        env.choose("CHANNEL_LAYER", ("redis", "nats"))


def test_nats_servers_need_a_scheme(monkeypatch):
    monkeypatch.setenv("NATS_URLS", "nats://u:p@one:4222, tls://two")
    assert env.nats_servers("NATS_URLS") == ["nats://u:p@one:4222", "tls://two"]
    for given in ("", "one:4222", "nats://one,redis://u:p@two"):
        monkeypatch.setenv("NATS_URLS", given)
        with pytest.raises(ImproperlyConfigured, match="NATS_URLS must look like") as refused:
            env.nats_servers("NATS_URLS")
        assert "u:p" not in str(refused.value)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("https://play.example/", ["https://play.example"]),
        (
            "https://play.example, http://[::1]:8000//",
            ["https://play.example", "http://[::1]:8000"],
        ),
        ("127.0.0.1", ["127.0.0.1"]),
    ],
)
def test_a_slash_at_the_end_of_an_origin_is_left_out(monkeypatch, written, read):
    monkeypatch.setenv("PLACE_OF_TEST", written)
    assert env.origins("PLACE_OF_TEST") == read


@pytest.mark.parametrize(
    ("reader", "written"),
    [
        (env.origins, "https://play.example/rummy"),
        (env.hosts, "https://play.example"),
        (env.hosts, "play.example/"),
        (env.hosts, "play.example:8443"),
    ],
)
def test_what_no_browser_sends_is_refused_at_the_start(monkeypatch, reader, written):
    monkeypatch.setenv("PLACE_OF_TEST", written)
    with pytest.raises(ImproperlyConfigured, match=re.escape(repr(written))):
        reader("PLACE_OF_TEST")


def test_hosts_are_read_as_django_compares_them(monkeypatch):
    monkeypatch.setenv("PLACE_OF_TEST", "play.example,.example.org,[::1],*")
    assert env.hosts("PLACE_OF_TEST") == ["play.example", ".example.org", "[::1]", "*"]


@pytest.mark.parametrize(
    ("url", "of_jobs", "broker"),
    [
        ("redis://:word@host:6379/0", "redis://:word@host:6379/1", "redis://:word@host:6379/1"),
        (
            "redis://host:6379?db=3&timeout=5",
            "redis://host:6379/1?timeout=5",
            "redis://host:6379/1?timeout=5",
        ),
        (
            "unix://:word@/run/redis.sock?db=3",
            "unix://:word@/run/redis.sock?db=1",
            "redis+socket://:word@/run/redis.sock?virtual_host=1",
        ),
        (
            "unix:///run/redis.sock?password=w%2Frd",
            "unix:///run/redis.sock?password=w%2Frd&db=1",
            "redis+socket://:w%2Frd@/run/redis.sock?virtual_host=1",
        ),
        (
            "rediss://host:6380/0",
            "rediss://host:6380/1",
            "rediss://host:6380/1?ssl_cert_reqs=required",
        ),
        (
            "rediss://host:6380/0?ssl_cert_reqs=none",
            "rediss://host:6380/1?ssl_cert_reqs=none",
            "rediss://host:6380/1?ssl_cert_reqs=none",
        ),
    ],
)
def test_each_use_of_redis_has_its_own_database_with_the_same_rights(url, of_jobs, broker):
    assert env.redis_database(url, 1) == of_jobs
    assert env.celery_broker(of_jobs) == broker
    assert redis.Redis.from_url(of_jobs).connection_pool.connection_kwargs["db"] == 1
