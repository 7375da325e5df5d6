"""What a load balancer and a watchman ask."""

from datetime import timedelta
from typing import Final

from django.core.cache import cache
from django.db import DatabaseError
from django.db.models.functions import Now
from django.http import HttpRequest, HttpResponse, JsonResponse
from redis.exceptions import RedisError

from config.signs_of_life import WORKERS_SEEN
from tables.models import ClockBeat
from wallet.selectors import ledger_is_sound

CLOCK_STANDS_AFTER: Final = timedelta(seconds=10)


def alive(request: HttpRequest) -> HttpResponse:
    """200 "ok"; 503 with one word where nobody should be sent to: "database" does not answer, or
    the last check of the "ledger" found something. Reads one row."""
    try:
        wrong = "" if ledger_is_sound() else "ledger"
    except DatabaseError:
        wrong = "database"
    return HttpResponse(wrong or "ok", status=503 if wrong else 200, content_type="text/plain")


def ready(request: HttpRequest) -> HttpResponse:
    """Each part of the platform as "ok" or as what is wrong with it; 503 unless all are ok."""
    parts = {**_database_parts(), **_redis_parts()}
    is_ready = all(state == "ok" for state in parts.values())
    return JsonResponse(parts, status=200 if is_ready else 503)


def _database_parts() -> dict[str, str]:
    try:
        sound = ledger_is_sound()
        beats = ClockBeat.objects.filter(beat_at__gt=Now() - CLOCK_STANDS_AFTER).exists()
    except DatabaseError:
        return {"database": "does not answer", "ledger": "unknown", "clock": "unknown"}
    return {
        "database": "ok",
        "ledger": "ok" if sound else "is off: manage.py check_ledger says where",
        "clock": "ok" if beats else "has not been heard of for 10 seconds",
    }


def _redis_parts() -> dict[str, str]:
    try:
        seen = cache.get(WORKERS_SEEN)
    except (RedisError, OSError):
        return {"redis": "does not answer", "workers": "unknown"}
    return {"redis": "ok", "workers": "ok" if seen else "have done no job for a minute"}
