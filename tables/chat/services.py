"""Chat at a table, ignored players, reports to the staff, and the erasure of a closed account's chat."""

import logging
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final

from channels.layers import get_channel_layer
from django.db import connection, transaction
from django.db.models import Count, Q
from django.db.models.functions import Now
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from redis.exceptions import RedisError

from accounts.models import User
from core.after_commit import send_after_commit
from core.emails.kinds import Values, register_mail_kind, render_greeting
from core.emails.texts import write_mail
from core.refusals import Refusal
from tables.chat.moderation import ModeratedLine, check_line
from tables.chat.selectors import line_view, list_chat
from tables.models import (
    Block,
    ChatLine,
    ChipsPassed,
    Follow,
    IgnoredPlayer,
    Match,
    PairEvidence,
    QueuePlace,
    Report,
    ReportReason,
    ReportStatus,
    Sanction,
    Seat,
    TableInvitation,
    UsualTable,
)
from tables.play.change import name_table_group
from tables.refusals import NO_SUCH_PERSON, NO_SUCH_PLAYER, TOO_MANY_REPORTS

logger = logging.getLogger(__name__)

_RENAME = """
UPDATE tables_match m SET players = (
  SELECT jsonb_object_agg(seat, CASE WHEN (player ->> 'user')::bigint = %(user)s
                                     THEN player || jsonb_build_object('name', %(name)s::text)
                                     ELSE player END)
  FROM jsonb_each(m.players) AS p (seat, player))
WHERE m.participants @> ARRAY[%(user)s::bigint]
"""


def sits_somewhere(user_id: int) -> bool:
    """Return whether the player sits at a table or is on a waiting list."""
    seated = Seat.objects.filter(user_id=user_id, left_at__isnull=True)
    return seated.exists() or QueuePlace.objects.filter(user_id=user_id).exists()


def rename_in_matches(*, user_id: int, name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_RENAME, {"user": user_id, "name": name})


@transaction.atomic
def forget_player(*, user_id: int, name: str) -> None:
    """Replace the player's name in every match with `name`, and delete their chat and their ties to other players."""
    rename_in_matches(user_id=user_id, name=name)
    ChatLine.objects.filter(user_id=user_id).delete()
    Sanction.objects.filter(user_id=user_id).delete()
    IgnoredPlayer.objects.filter(user_id=user_id).delete()
    Seat.objects.filter(user_id=user_id).update(device_mark="", address_mark="")
    ChipsPassed.objects.filter(Q(low=user_id) | Q(high=user_id)).delete()
    Follow.objects.filter(Q(user=user_id) | Q(followed=user_id)).delete()
    Block.objects.filter(Q(user=user_id) | Q(blocked=user_id)).delete()
    TableInvitation.objects.filter(Q(sender=user_id) | Q(invited=user_id)).delete()
    UsualTable.objects.filter(user_id=user_id).delete()
    PairEvidence.objects.filter(Q(low=user_id) | Q(high=user_id)).delete()


LINES_IN_A_REPORT = 50
# Limits for one player: reports that staff have not answered yet, those about the same player, and reports
# within a day.
OPEN_REPORTS_EACH = 10
OPEN_REPORTS_ABOUT_ONE = 3
REPORTS_A_DAY = 20
_DAY = timedelta(days=1)


@transaction.atomic
def post_line(*, table_id: int, user_id: int, line: ModeratedLine) -> ChatLine:
    """Post a line to everybody at the table, or to all spectators if the author has no seat.

    Raises a Refusal; then nothing has been posted.
    """
    # Lock the player, so that two sockets, even at two tables, cannot both post the last allowed line.
    user = User.objects.select_for_update(no_key=True).get(pk=user_id)
    said = check_line(line, table_id=table_id, user_id=user_id)
    written = ChatLine.objects.create(
        table_id=table_id,
        user=user,
        phrase=said.phrase,
        text=said.text,
        from_watcher=said.from_watcher,
    )
    send_after_commit(announce_line, written)
    return written


def ignore(*, user_id: int, ignored_id: int, table_id: int) -> None:
    """Hide the other player's lines from this player. Raises NO_SUCH_PLAYER."""
    _refuse_strangers(user_id, ignored_id, table_id)
    IgnoredPlayer.objects.get_or_create(user_id=user_id, ignored_id=ignored_id)


def listen_again(*, user_id: int, ignored_id: int) -> None:
    IgnoredPlayer.objects.filter(user_id=user_id, ignored_id=ignored_id).delete()


@transaction.atomic
def report(
    *, reporter_id: int, reported_id: int, table_id: int, reason: ReportReason, words: str
) -> Report:
    """Report a player of the same table, or a spectator, to the staff, with a copy of the current chat.

    Raises NO_SUCH_PLAYER or TOO_MANY_REPORTS.
    """
    # Serialize the counting of concurrent reports.
    User.objects.select_for_update(no_key=True).only("pk").get(pk=reporter_id)
    _refuse_strangers(reporter_id, reported_id, table_id)
    report = Report(
        reporter_id=reporter_id,
        reported_id=reported_id,
        table_id=table_id,
        match=Match.objects.filter(table=table_id).order_by("-pk").first(),
        reason=reason,
        words=words,
    )
    are_watchers = not _have_sat_together(reporter_id, reported_id, table_id)
    lines = list_chat(table_id=table_id, length=LINES_IN_A_REPORT, of_watchers=are_watchers)
    return file_report(report, lines)


@transaction.atomic
def report_person(
    *, reporter_id: int, reported_id: int, reason: ReportReason, words: str
) -> Report:
    """Report a person to the staff from that person's page. Raises NO_SUCH_PERSON or TOO_MANY_REPORTS."""
    User.objects.select_for_update(no_key=True).only("pk").get(pk=reporter_id)
    people = User.objects.filter(pk=reported_id, is_bot=False, closed_at=None)
    if reporter_id == reported_id or not people.exists():
        raise Refusal(NO_SUCH_PERSON)
    report = Report(reporter_id=reporter_id, reported_id=reported_id, reason=reason, words=words)
    return file_report(report, ())


@transaction.atomic
def report_in_match(
    *, reporter_id: int, reported_id: int, match_id: int, reason: ReportReason, words: str
) -> Report:
    """Report a player of a match in which the reporter played, even after one of them has left the table.

    The report contains the table's chat up to the end of the match. Raises NO_SUCH_PLAYER or TOO_MANY_REPORTS.
    """
    User.objects.select_for_update(no_key=True).only("pk").get(pk=reporter_id)
    match = Match.objects.filter(pk=match_id, participants__contains=[reporter_id]).first()
    if match is None or reported_id not in {
        pk for pk, _name in list_reportable(match, reporter_id)
    }:
        raise Refusal(NO_SUCH_PLAYER)
    report = Report(
        reporter_id=reporter_id,
        reported_id=reported_id,
        table_id=match.table_id,
        match=match,
        reason=reason,
        words=words,
    )
    lines = list_chat(table_id=match.table_id, length=LINES_IN_A_REPORT, until=match.ended_at)
    return file_report(report, lines)


def list_reportable(match: Match, user_id: int) -> list[tuple[int, str]]:
    """Return the id and name of each other player of a match whose account is not closed."""
    others = [one["user"] for one in match.players.values() if one["user"] != user_id]
    people = User.objects.filter(pk__in=others, is_bot=False, closed_at=None).order_by("pk")
    return list(people.values_list("pk", "player_name"))


def file_report(report: Report, chat: Sequence[ChatLine]) -> Report:
    """Store a report, with an excerpt of the chat, for the staff. The caller has locked the reporter.

    Raises TOO_MANY_REPORTS.
    """
    _refuse_too_many(report.reporter_id, report.reported_id)
    report.chat = _build_excerpt(chat)
    report.save()
    return report


def _refuse_too_many(reporter_id: int, reported_id: int) -> None:
    is_open = Q(status=ReportStatus.OPEN)
    made = Report.objects.filter(reporter=reporter_id).aggregate(
        open=Count("pk", filter=is_open),
        about_one=Count("pk", filter=is_open & Q(reported=reported_id)),
        lately=Count("pk", filter=Q(created_at__gt=Now() - _DAY)),
    )
    if (
        made["open"] >= OPEN_REPORTS_EACH
        or made["about_one"] >= OPEN_REPORTS_ABOUT_ONE
        or made["lately"] >= REPORTS_A_DAY
    ):
        raise Refusal(TOO_MANY_REPORTS)


def _build_excerpt(lines: Sequence[ChatLine]) -> list[Mapping[str, str | int]]:
    return [
        {
            "at": line.said_at.isoformat(timespec="seconds"),
            "user": line.user_id,
            "player": line.user.player_name,
            "line": line.phrase or line.text,
        }
        for line in lines
    ]


def _refuse_strangers(user_id: int, other_id: int, table_id: int) -> None:
    """Raise NO_SUCH_PLAYER unless the two have sat at this table together, or the other chatted as a spectator."""
    spoken = ChatLine.objects.filter(table_id=table_id, from_watcher=True, user_id=other_id)
    if user_id == other_id or not (
        _have_sat_together(user_id, other_id, table_id) or spoken.exists()
    ):
        raise Refusal(NO_SUCH_PLAYER)


def _have_sat_together(user_id: int, other_id: int, table_id: int) -> bool:
    both = Q(user_id=user_id) | Q(user_id=other_id)
    people = Seat.objects.filter(both, table_id=table_id, user__is_bot=False)
    return people.values("user_id").distinct().count() == 2  # noqa: PLR2004


def group_of_watchers(table_id: int) -> str:
    """Return the channel group of a table's spectators. It contains no players."""
    return f"{name_table_group(table_id)}.watchers"


async def announce_line(line: ChatLine) -> None:
    """Send a player's line to the players, or a spectator's line to the spectators. If Redis is down, it is lost."""
    layer = get_channel_layer()
    assert layer is not None  # noqa: S101 - the settings name one
    assert line.table_id is not None  # noqa: S101 - said at a table
    group, kind = name_table_group(line.table_id), "table.said"
    if line.from_watcher:
        group, kind = group_of_watchers(line.table_id), "table.watcher_said"
    try:
        await layer.group_send(
            group, {"type": kind, "table": line.table_id, "line": line_view(line)}
        )
    except (RedisError, OSError) as error:
        logger.warning("table %s: a line was not sent: %s", line.table_id, error)


REPORTS_SHOWN: Final = 20
# As the reporter reads it.
OUTCOMES: Final[Mapping[str, str | Promise]] = {
    ReportStatus.OPEN: gettext_lazy("We are looking into it"),
    ReportStatus.ACTED: gettext_lazy("Upheld: we have acted"),
    ReportStatus.DISMISSED: gettext_lazy("Not upheld"),
}


def list_reports_by(user_id: int) -> list[Report]:
    """Return a player's newest reports, each with the reported player."""
    reports = Report.objects.filter(reporter=user_id).select_related("reported").order_by("-pk")
    return list(reports[:REPORTS_SHOWN])


def notify_of_outcome(report: Report) -> None:
    """Send the outcome of a report by e-mail, in the transaction of the decision.

    The reporter learns the outcome, but never the measure taken against the player.
    """
    if report.status == ReportStatus.OPEN:
        return
    write_mail(
        UPHELD if report.status == ReportStatus.ACTED else NOT_UPHELD,
        user=report.reporter,
        hint="support",
        number=str(report.pk),
        player=report.reported.player_name,
    )


def _compose_upheld(values: Values) -> tuple[str, str]:
    told = _(
        "your report about %(player)s was upheld, and we have acted. What exactly we did "
        "stays between us and them."
    )
    return _compose_mail(values, told % values)


def _compose_not_upheld(values: Values) -> tuple[str, str]:
    told = _(
        "we have looked into your report about %(player)s. It was not upheld: we found nothing "
        "against the rules. If you see it again, report it again."
    )
    return _compose_mail(values, told % values)


def _compose_mail(values: Values, told: str) -> tuple[str, str]:
    lines = [
        render_greeting(values),
        "",
        told,
        "",
        _("You can answer on the page Help and contact."),
    ]
    return _("Your report %(number)s") % values, "\n".join(lines)


_NUMBER: Final = gettext_lazy("the report's number")
_PLAYER: Final = gettext_lazy("the reported player")
UPHELD = register_mail_kind(
    "report_upheld", gettext_lazy("Report upheld"), _compose_upheld, number=_NUMBER, player=_PLAYER
)
NOT_UPHELD = register_mail_kind(
    "report_not_upheld",
    gettext_lazy("Report not upheld"),
    _compose_not_upheld,
    number=_NUMBER,
    player=_PLAYER,
)
