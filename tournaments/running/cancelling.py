"""Cancelling a tournament: it is shown as cancelled at once, and then wound up in small steps.

Thousands of tables and refunds take time, and other transactions need their rows. So the tournament is marked
first. The tick then ends its tables and refunds fees a few at a time (`wind_up`), and sets `wound_up_at` when
it is done. Entrants get an e-mail, and a notification on subscribed devices.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from accounts.push.services import CANCELLED, Call, push_after_commit
from core.emails.kinds import Values, register_mail_kind, render_greeting
from core.emails.texts import write_mail
from core.refusals import Refusal
from tables.catalog import amount_text
from tables.seating.events import call_off_event_table, clear_event_tables
from tournaments.models import Entrant, EntrantState, Round, RoundTable, Tournament
from tournaments.refusals import TOURNAMENT_OVER
from tournaments.rules.lifecycle import LifecycleStatus
from tournaments.store.announcements import announce_change
from tournaments.store.fees import give_some_back, return_tickets
from tournaments.store.reading import describe_cancellation
from tournaments.store.rows import lock_if_free, lock_tournament, set_status

# Limits for one transaction, so that others do not wait long for its rows.
TABLES_AT_A_TIME = 10
REFUNDS_AT_A_TIME = 500
PEOPLE_AT_A_TIME = 200


@transaction.atomic
def cancel(*, tournament_id: int, now: datetime, reason: str) -> None:
    """Cancel a tournament. Raises TOURNAMENT_OVER; then nothing has changed."""
    tournament = lock_tournament(tournament_id)
    if tournament.is_over:
        raise Refusal(TOURNAMENT_OVER)
    call_off(tournament, now=now, reason=reason)


def call_off(tournament: Tournament, *, now: datetime, reason: str) -> None:
    """Mark a tournament as cancelled: nobody can enter, and no step begins. The caller holds the lock."""
    tournament.cancel_reason = reason
    tournament.ended_at = now
    tournament.paused_at = None
    tournament.broken_at, tournament.broken_reason = None, ""
    set_status(tournament, LifecycleStatus.CANCELLED, now=now)
    announce_change(tournament.pk)


def filter_being_wound_up(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Return those tournaments that are cancelled and not wound up completely."""
    return tournaments.filter(Q(status=LifecycleStatus.CANCELLED, wound_up_at=None))


@transaction.atomic
def wind_up(tournament_id: int, *, now: datetime) -> bool:
    """Take one step of winding up a cancelled tournament. Return False if nothing can be done now.

    A table that another transaction has locked is left to a later step. The call may be repeated safely.
    """
    tournament = lock_if_free(tournament_id)
    if tournament is None or tournament.wound_up_at is not None:
        return False
    running = RoundTable.objects.filter(round__tournament=tournament, ended_at=None)
    if running.exists():
        if not _end_tables(running, now):
            return False
    elif not (give_some_back(tournament, at_most=REFUNDS_AT_A_TIME) or _release_some(tournament)):
        _clear(tournament, now)
    announce_change(tournament_id)
    return True


def _end_tables(running: QuerySet[RoundTable], now: datetime) -> bool:
    """End some tables of a cancelled tournament. Return False if all remaining ones are locked."""
    ended = []
    for pk, table_id in running.order_by("table_id").values_list("pk", "table_id"):
        if not call_off_event_table(table_id, skip_locked=True):
            continue
        ended.append(pk)
        if len(ended) == TABLES_AT_A_TIME:
            break
    RoundTable.objects.filter(pk__in=ended).update(ended_at=now)
    return bool(ended)


def _release_some(tournament: Tournament) -> bool:
    """Notify some entrants of the cancellation, each once. Return False once all have been notified.

    Entrants who were already out are included, because they had paid too.
    """
    staying = Q(state__in=[EntrantState.REGISTERED, EntrantState.PLAYING, EntrantState.WAITING])
    entrants = list(
        tournament.entrants.filter(staying | Q(payments__gt=0))
        .select_related("user")
        .order_by("pk")[:PEOPLE_AT_A_TIME]
    )
    announce_cancelling(tournament, entrants)
    told = tournament.entrants.filter(pk__in=[entrant.pk for entrant in entrants])
    return_tickets(told)
    told.filter(staying).update(state=EntrantState.WITHDRAWN)
    return bool(entrants)


def _clear(tournament: Tournament, now: datetime) -> None:
    """Finish winding up, when all tables have ended, all fees are refunded and all entrants are notified."""
    rounds = Round.objects.filter(tournament=tournament, ended_at=None)
    clear_event_tables(
        list(RoundTable.objects.filter(round__in=rounds).values_list("table_id", flat=True))
    )
    rounds.update(ended_at=now)
    tournament.wound_up_at = now
    tournament.save(update_fields=["wound_up_at"])


# Also the name of the notice to open pages.
KIND = "tournament"
# After a day the notification is pointless.
CALL_SECONDS = 86_400


def announce_cancelling(tournament: Tournament, entrants: Sequence[Entrant]) -> None:
    """Send e-mails and notifications in the transaction that releases the entrants. Bots get none."""
    people = [entrant for entrant in entrants if not entrant.user.is_bot]
    for entrant in people:
        _write(tournament, entrant)
    by_name: defaultdict[str, set[int]] = defaultdict(set)
    for entrant in people:
        by_name[tournament.said("name", entrant.user.language)].add(entrant.user_id)
    for name, user_ids in by_name.items():
        call = Call(
            kind=CANCELLED,
            name=name,
            url=tournament.get_absolute_url(),
            tag=f"tournament-{tournament.pk}",
            seconds=CALL_SECONDS,
        )
        push_after_commit(user_ids, call)


def _write(tournament: Tournament, entrant: Entrant) -> None:
    user = entrant.user
    with override(user.language):
        why, back = (
            str(describe_cancellation(tournament) or ""),
            _describe_refund(tournament, entrant),
        )
    name = tournament.said("name", user.language)
    write_mail(CANCELLING, user=user, hint=KIND, tournament=name, why=why, given_back=back)


def _compose_cancellation(values: Values) -> tuple[str, str]:
    about = {"name": values["tournament"]}
    told = [
        _("The tournament “%(name)s” was cancelled.") % about,
        values["why"],
        values["given_back"],
    ]
    lines = [render_greeting(values), "", *filter(None, told)]
    return _("“%(name)s” was cancelled") % about, "\n".join(lines)


CANCELLING = register_mail_kind(
    "tournament_cancelled",
    gettext_lazy("Tournament cancelled"),
    _compose_cancellation,
    tournament=gettext_lazy("the tournament's name"),
    why=gettext_lazy("why it was cancelled"),
    given_back=gettext_lazy("the player's refund"),
)


def _describe_refund(tournament: Tournament, entrant: Entrant) -> str:
    if entrant.state == EntrantState.WAITING or not entrant.payments:
        return _("You had paid nothing.")
    if entrant.ticket_id is not None:
        return _("Your ticket can be used again.")
    amount = amount_text(tournament.entry_fee * entrant.payments, tournament.currency)
    return _("Refunded to your wallet: %(amount)s.") % {"amount": amount}
