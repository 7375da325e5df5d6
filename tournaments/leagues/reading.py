"""Reading leagues for pages and statements."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from tournaments.models import League, LeaguePlace
from tournaments.rules.payouts import compute_prizes, share_prizes
from tournaments.store.reading import PrizeLine
from wallet.money import Currency

PLACES_ON_A_PAGE = 50
LATEST_SHOWN = 12
LEAGUES_ON_A_PAGE = 50
PHASES = ("coming", "running", "counting", "over", "cancelled")


@dataclass(frozen=True, slots=True)
class Standings:
    """A page of the standings, and the reader's own row. `newer` and `older` are the adjacent page numbers, or None."""

    places: Sequence[LeaguePlace]
    own: LeaguePlace | None
    players: int
    newer: int | None
    older: int | None


def list_leagues(*, with_cash: bool) -> list[League]:
    """Return the unfinished leagues, soonest end first."""
    open_ones = League.objects.filter(settled_at=None, cancelled_at=None)
    return list(_filter_public(open_ones, with_cash).order_by("ends_at", "pk"))


def list_running_leagues(*, with_cash: bool, now: datetime, length: int) -> list[League]:
    """Return the leagues that can be played now, soonest end first."""
    running = League.objects.filter(
        settled_at=None, cancelled_at=None, broken_at=None, starts_at__lte=now, ends_at__gt=now
    )
    return list(_filter_public(running, with_cash).order_by("ends_at", "pk")[:length])


def list_leagues_over(*, with_cash: bool) -> list[League]:
    """Return the paid or cancelled leagues, latest first."""
    over = League.objects.exclude(settled_at=None, cancelled_at=None)
    return list(_filter_public(over, with_cash).order_by("-ends_at", "-pk")[:LATEST_SHOWN])


def leagues_page(
    *, over: bool, with_cash: bool, after: int | None
) -> tuple[Sequence[League], int | None]:
    """Return a page of leagues, and the value of `after` for the next page, or None on the last page.

    Unfinished leagues come with the soonest end first, past ones newest first. If `after` is unknown, the
    page is empty.
    """
    is_over = Q(settled_at__isnull=False) | Q(cancelled_at__isnull=False)
    rows = _filter_public(League.objects.filter(is_over if over else ~is_over), with_cash)
    if after is not None:
        last = League.objects.filter(pk=after).values_list("ends_at", "pk").first()
        if last is None:
            return [], None
        sign = "lt" if over else "gt"
        ends_at, pk = last
        later = {f"ends_at__{sign}": ends_at}
        equal = {"ends_at": ends_at, f"pk__{sign}": pk}
        rows = rows.filter(Q(**later) | Q(**equal))
    order = ("-ends_at", "-pk") if over else ("ends_at", "pk")
    some = list(rows.order_by(*order)[: LEAGUES_ON_A_PAGE + 1])
    page = some[:LEAGUES_ON_A_PAGE]
    return page, page[-1].pk if len(some) > len(page) else None


def _filter_public(leagues: QuerySet[League], with_cash: bool) -> QuerySet[League]:  # noqa: FBT001 - of this module
    # Leagues of clubs are listed on the clubs' own pages.
    leagues = leagues.filter(club=None).select_related("house_rules")
    return leagues if with_cash else leagues.filter(currency=Currency.CHIPS)


def find_league(league_id: int, *, with_cash: bool) -> League | None:
    return _filter_public(League.objects.filter(pk=league_id), with_cash).first()


def build_standings(league: League, *, user_id: int | None, page: int) -> Standings:
    """Return the standings. Until the league is paid, `prize` is the prize that each player would get now."""
    ranked = league.places.filter(rank__isnull=False)
    start = (page - 1) * PLACES_ON_A_PAGE
    some = list(
        ranked.select_related("user").order_by("place")[start : start + PLACES_ON_A_PAGE + 1]
    )
    own = None
    if user_id is not None:
        own = league.places.filter(user_id=user_id).select_related("user").first()
    players = ranked.count()
    if not league.is_over:
        stand = _as_they_stand(league, players=players)
        for place in (*some, *([] if own is None else [own])):
            place.prize = stand.get(place.place or 0, 0)
    return Standings(
        places=some[:PLACES_ON_A_PAGE],
        own=own,
        players=players,
        newer=page - 1 if page > 1 else None,
        older=page + 1 if len(some) > PLACES_ON_A_PAGE else None,
    )


def list_prize_lines(league: League) -> list[PrizeLine]:
    """Return the prizes that are paid if there are enough players for all of them."""
    table = league.payouts
    amounts = compute_prizes(league.pool, payout_table=table, field=table.places)
    lines, first = [], 1
    for rank, amount in enumerate(amounts, start=1):
        if rank == len(amounts) or amounts[rank] != amount:
            lines.append(PrizeLine(first, rank, amount))
            first = rank + 1
    return [line for line in lines if line.amount]


def compute_prizes_by_place(
    league: League, ranks: Mapping[int, int], *, players: int
) -> dict[int, int]:
    """Return a mapping from place to prize, for a league in which `players` players have a place.

    `ranks` maps places to ranks. It contains the places with a prize, and the places that share a rank with one of
    these. If there are fewer players than prizes, they share the whole prize pool.
    """
    if not players:
        return {}
    by_place = compute_prizes(league.pool, payout_table=league.payouts, field=players)
    return share_prizes(by_place, ranks)


def _as_they_stand(league: League, *, players: int) -> dict[int, int]:
    """Return a mapping from place to prize, as if prizes were paid with the current standings."""
    best = league.places.filter(rank__lte=league.payouts.places).values_list("place", "rank")
    ranks = {place: rank for place, rank in best if place is not None and rank is not None}
    return compute_prizes_by_place(league, ranks, players=players)


def get_phase(league: League, *, now: datetime) -> str:
    """Return one of `PHASES`. In "counting" the league has ended, but running matches still count."""
    if league.is_over:
        return "over" if league.settled_at is not None else "cancelled"
    if now < league.starts_at:
        return "coming"
    return "running" if now < league.ends_at else "counting"


def names_of_leagues(numbers: Collection[int]) -> dict[int, str]:
    """Return a mapping from league id to name, for the lines of account statements."""
    some = League.objects.filter(pk__in=numbers).only("name", "words")
    return {league.pk: league.shown_name for league in some}
