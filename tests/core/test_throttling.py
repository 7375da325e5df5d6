"""Rate limits that all processes count together in Redis."""

from core.throttling import Rate, clear, give_back, take

FIRST, SECOND = Rate("test:first", 2, 60), Rate("test:second", 1, 60)


def test_several_rates_are_counted_all_or_none():
    clear(FIRST.name, SECOND.name)
    assert take(SECOND).is_allowed
    for _ in range(3):
        refused = take(FIRST, SECOND)
        assert not refused.is_allowed
        assert 0 < refused.pause_seconds <= 60
    assert [take(FIRST).is_allowed for _ in range(3)] == [True, True, False]
    clear(FIRST.name, SECOND.name)
    both = take(FIRST, SECOND)
    assert both.is_allowed
    give_back(both)
    assert take(SECOND, FIRST).is_allowed


def test_the_remaining_calls_are_those_of_the_fullest_rate():
    clear(FIRST.name, SECOND.name)
    assert [take(FIRST).left for _ in range(3)] == [1, 0, 0]
    clear(FIRST.name)
    assert take(FIRST, SECOND).left == 0


def test_without_redis_a_process_goes_on_from_what_it_has_counted(settings):
    clear(FIRST.name)
    taken = take(FIRST)
    there = settings.RATES_REDIS_URL
    settings.RATES_REDIS_URL = "redis://127.0.0.1:1/0"  # no server listens on this port
    assert [take(FIRST).is_allowed for _ in range(2)] == [True, False]
    give_back(taken)
    assert take(FIRST).is_allowed
    settings.RATES_REDIS_URL = there
    clear(FIRST.name)
    assert take(FIRST).left == 1
