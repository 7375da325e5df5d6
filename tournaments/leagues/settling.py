"""Paying, cancelling and repeating a league, each under the lock of the league's row."""

from datetime import UTC, datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.emails.kinds import Values, register_mail_kind, render_greeting
from core.emails.texts import write_mail
from core.refusals import Refusal
from tables.catalog import amount_text
from tournaments.leagues.reading import compute_prizes_by_place
from tournaments.leagues.standings import draw_standings
from tournaments.models import League, LeaguePlace
from tournaments.refusals import LEAGUE_OVER, NOT_IN_LEAGUE
from wallet import api as wallet
from wallet.api import Prize
from wallet.money import Currency


def lock_league(league_id: int) -> League | None:
    """Lock a league. Return None if it is over, or if another transaction has locked it."""
    rows = League.objects.select_for_update(no_key=True, skip_locked=True)
    return rows.filter(pk=league_id, settled_at=None, cancelled_at=None).first()


def settle(league: League, *, now: datetime) -> None:
    """Compute the final standings and pay every prize in one posting. The caller holds the lock.

    If there are fewer players than prizes, they share the whole prize pool. Without players nothing is paid.
    """
    draw_standings(league, now=now)
    places = list(league.places.filter(rank__isnull=False).select_related("user").order_by("place"))
    ranks = {place.place or 0: place.rank or 0 for place in places}
    amounts = compute_prizes_by_place(league, ranks, players=len(places))
    for place in places:
        place.prize = amounts.get(place.place or 0, 0)
    winners = [place for place in places if place.prize]
    LeaguePlace.objects.bulk_update(winners, ["prize"], batch_size=1_000)
    wallet.pay_league_prizes(
        league_id=league.pk,
        currency=Currency(league.currency),
        prizes=[Prize(place.user_id, place.prize) for place in winners],
    )
    league.settled_at = now
    league.save(update_fields=["settled_at"])
    for place in winners:
        notify_winner(league, place)


def end_now(league: League, *, now: datetime) -> None:
    """End a running league with its current standings. The caller holds the lock."""
    league.ends_at, league.settle_seconds = now, 0
    league.save(update_fields=["ends_at", "settle_seconds", "settles_at"])
    settle(league, now=now)


def follow(league: League) -> League | None:
    """Announce the next league: it begins when this one ends, in local time, and lasts as long.

    Return None if it exists already, or if the league does not repeat.
    """
    if not league.repeats or League.objects.filter(follows=league).exists():
        return None
    starts, ends = (timezone.localtime(moment) for moment in (league.starts_at, league.ends_at))
    # Measured in local time: with a clock change, a week from Monday to Monday has an hour more or less.
    length = ends.replace(tzinfo=None) - starts.replace(tzinfo=None)
    zone = timezone.get_default_timezone()
    following = (ends.replace(tzinfo=None) + length).replace(tzinfo=zone).astimezone(UTC)
    if following <= league.ends_at:  # it lasted for less than the hour that was repeated
        following = league.ends_at + (league.ends_at - league.starts_at)
    names = (
        "name", "description", "words", "game", "format", "house_rules", "currency", "least_stake",
        "counted", "meetings", "settle_seconds", "repeats", "pool", "payout_table",
    )  # fmt: skip
    return League.objects.create(
        **{name: getattr(league, name) for name in names},
        starts_at=league.ends_at,
        ends_at=following,
        follows=league,
    )


@transaction.atomic
def cancel_league(*, league_id: int, now: datetime, reason: str) -> League:
    """Cancel a league: nothing is paid, and no league follows. Raises LEAGUE_OVER; then nothing has changed."""
    league = League.objects.select_for_update(no_key=True).get(pk=league_id)
    if league.is_over:
        raise Refusal(LEAGUE_OVER)
    league.cancelled_at, league.cancel_reason, league.repeats = now, reason, False
    league.broken_at, league.broken_reason = None, ""
    league.save()
    return league


@transaction.atomic
def resume_league(*, league_id: int) -> League:
    """Resume a broken league after its repair. Raises LEAGUE_OVER."""
    league = League.objects.select_for_update(no_key=True).get(pk=league_id)
    if league.is_over:
        raise Refusal(LEAGUE_OVER)
    league.broken_at, league.broken_reason = None, ""
    league.save()
    return league


@transaction.atomic
def disqualify_from_league(*, league_id: int, user_id: int, now: datetime) -> LeaguePlace:
    """Disqualify a player, who loses rank and prize. Players behind them move up.

    Raises LEAGUE_OVER or NOT_IN_LEAGUE.
    """
    league = League.objects.select_for_update(no_key=True).get(pk=league_id)
    if league.is_over:
        raise Refusal(LEAGUE_OVER)
    place = LeaguePlace.objects.filter(league=league, user_id=user_id).first()
    if place is None:
        raise Refusal(NOT_IN_LEAGUE)
    place.disqualified_at = place.disqualified_at or now
    place.save(update_fields=["disqualified_at"])
    draw_standings(league, now=now)
    place.refresh_from_db()
    return place


# Also the name of the notice to open pages.
KIND = "league"


def notify_winner(league: League, place: LeaguePlace) -> None:
    """Send the winner an e-mail and a notice, in the transaction that pays the prize."""
    user = place.user
    write_mail(
        LEAGUE_WON,
        user=user,
        hint=KIND,
        league=league.said("name", user.language),
        place=str(place.rank),
        prize=amount_text(place.prize, league.currency),
    )


def _compose_prize(values: Values) -> tuple[str, str]:
    told = _("The league “%(league)s” is over. You finished in place %(place)s and win %(prize)s.")
    subject = _("Place %(place)s in “%(league)s”")
    return subject % values, "\n".join([render_greeting(values), "", told % values])


LEAGUE_WON = register_mail_kind(
    "league_won",
    gettext_lazy("League prize"),
    _compose_prize,
    league=gettext_lazy("the league's name"),
    place=gettext_lazy("the player's place"),
    prize=gettext_lazy("the prize"),
)
