"""Matches stored over months, with the traces of `synthetic.club` for real users."""

from datetime import timedelta

from django.utils import timezone

from accounts.models import User
from games.indian.lab.fairplay.tracing import FAIR_PLAY
from history.fairplay.pairs import Trace
from history.models import MatchTrace
from tables.models import Match, MatchStatus, Table


def people(count: int) -> dict[int, User]:
    """Make users numbered from 1. Their ids rise with the number."""
    return {
        number: User.objects.create_user(
            f"night{number}@example.com", None, player_name=f"Night {number}"
        )
        for number in range(1, count + 1)
    }


def store(traces: list[Trace], users: dict[int, User], table: Table, *, days_ago: int = 1) -> None:
    """Store the matches of the traces, each with a settlement of ten chips.

    Match ids keep the order of the traces' match numbers, and their remainders modulo five.
    """
    ended_at = timezone.now() - timedelta(days=days_ago)
    numbers = list(dict.fromkeys(trace.match for trace in traces))
    seats: dict[int, dict[int, int]] = {number: {} for number in numbers}
    for trace in traces:
        seats[trace.match].setdefault(trace.giver, len(seats[trace.match]))
    first = Match.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    first += 5 - first % 5
    matches = {
        number: Match(
            pk=first + number,
            table=table,
            status=MatchStatus.FINISHED,
            rules=table.rules,
            players={
                str(seat): {"user": users[who].pk, "name": str(users[who]), "bot": False}
                for who, seat in seats[number].items()
            },
            participants=[users[who].pk for who in seats[number]],
            order=list(seats[number].values()),
            tossed=False,
            started_ms=0,
            ended_at=ended_at,
            traced_at=ended_at,
            counted_at=ended_at,
        )
        for number in numbers
    }
    for trace in traces:
        if trace.sums.paid:
            amounts = {str(seat): 0 for seat in seats[trace.match].values()}
            amounts[str(seats[trace.match][trace.giver])] = -10
            amounts[str(seats[trace.match][trace.taker])] = 10
            matches[trace.match].settlement = {"amounts": amounts}
    Match.objects.bulk_create(matches.values())
    MatchTrace.objects.bulk_create(
        MatchTrace(
            match=matches[trace.match],
            giver=users[trace.giver],
            taker=users[trace.taker],
            game="indian",
            version=FAIR_PLAY.version,
            ended_at=ended_at,
            feeding=trace.sums.feeding,
            feeding_others=list(trace.sums.feeding_others),
            withheld=trace.sums.withheld,
            loss=trace.sums.loss,
            decisions=trace.sums.decisions,
            offered=trace.sums.offered,
            picked=trace.sums.picked,
            picks_due=trace.sums.picks_due,
            paid=trace.sums.paid,
            paid_due=trace.sums.paid_due,
        )
        for trace in traces
    )
