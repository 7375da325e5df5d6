"""Finished matches for leagues, stored as the table layer stores them."""

from datetime import timedelta

from django.utils import timezone

from tables.models import Match, Table
from tables.seating.opening import TableTerms, open_table
from tournaments.models import League
from wallet import api as wallet


def make_league(**changed):
    """Make a league that began an hour ago and ends in a week."""
    now = timezone.now()
    given = {
        "name": "Week of the Lotus", "game": "indian", "format": "POINTS", "pool": 1_000,
        "starts_at": now - timedelta(hours=1), "ends_at": now + timedelta(days=7),
        "repeats": False, **changed,
    }  # fmt: skip
    return League.objects.create(**given)


def make_table(**changed):
    wallet.set_starting_fees(valid_from=timezone.now() - timedelta(days=30))
    terms = {"game": "indian", "name": "Banyan", "preset": "points", "max_seats": 6}
    fields = {name: changed.pop(name) for name in list(changed) if name in ("event_url",)}
    table = open_table(TableTerms(**{**terms, "point_value": 1, **changed}))
    if fields:
        Table.objects.filter(pk=table.pk).update(**fields)
    return table


def play(table, *ranked, ranks=None, minutes_ago=10, bots=()):
    """Store a finished match in which the players of `ranked` finished in this order."""
    ended = timezone.now() - timedelta(minutes=minutes_ago)
    ranks = ranks or range(1, len(ranked) + 1)
    match = Match.objects.create(
        table=table,
        status="FINISHED",
        rules={},
        players={
            str(seat): {
                "user": user.pk,
                "name": user.player_name,
                "bot": user in bots,
                "seat": seat,
            }
            for seat, user in enumerate(ranked)
        },
        participants=[user.pk for user in ranked],
        order=list(range(len(ranked))),
        tossed=False,
        started_ms=0,
        result={"ranks": {str(seat): rank for seat, rank in enumerate(ranks)}},
    )
    Match.objects.filter(pk=match.pk).update(
        started_at=ended - timedelta(minutes=5), ended_at=ended
    )
    return match
