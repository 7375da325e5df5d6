"""A club's chat, with the rules and the moderation of the chat at tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models.functions import Now

from accounts.models import User
from core.page_notices import hint_after_commit
from core.refusals import Refusal
from players.clubs.selectors import person_in
from players.clubs.services import CLUB
from players.refusals import MEMBERS_ONLY
from tables.chat.moderation import PHRASES, ModeratedLine, chat_is_on, clean_line
from tables.chat.selectors import get_unread_authors
from tables.chat.services import LINES_IN_A_REPORT, file_report
from tables.models import BELONGS, LEADS, ChatLine, ClubMember, Report, ReportReason, is_member
from tables.refusals import CHAT_IS_OFF, NO_SUCH_PLAYER, OFFICERS_ONLY

LINES_SHOWN: Final = 50
_WORDS: Final = {phrase.code: phrase.words for phrase in PHRASES}


@dataclass(frozen=True, slots=True)
class ClubLine:
    id: int
    person: User
    text: str
    said_at: datetime


def list_lines(*, club_id: int, user_id: int) -> list[ClubLine]:
    """Return the newest lines of a club's chat that this member sees, oldest first."""
    lines = ChatLine.objects.filter(club=club_id, hidden_at=None).exclude(
        user__in=get_unread_authors(user_id)
    )
    newest = lines.select_related("user").order_by("-pk")[:LINES_SHOWN]
    return [
        ClubLine(line.pk, line.user, str(_WORDS.get(line.phrase, line.text)), line.said_at)
        for line in reversed(newest)
    ]


@transaction.atomic
def post_in_club(*, club_id: int, user_id: int, line: ModeratedLine) -> ChatLine:
    """Post a line to the club's chat. Raises a Refusal; then nothing is posted."""
    # Lock the player, so that two pages cannot both post the last permitted line.
    user = User.objects.select_for_update(no_key=True).only("pk", "is_active").get(pk=user_id)
    if not chat_is_on():
        raise Refusal(CHAT_IS_OFF)
    if not user.is_active or not is_member(club_id=club_id, user_id=user_id):
        raise Refusal(MEMBERS_ONLY)
    said = clean_line(line, user_id=user_id)
    written = ChatLine.objects.create(
        club_id=club_id, user_id=user_id, phrase=said.phrase, text=said.text
    )
    members = ClubMember.objects.filter(club=club_id, role__in=BELONGS)
    told = list(members.values_list("user", flat=True))
    hint_after_commit(told, CLUB)
    return written


@transaction.atomic
def hide_line(*, club_id: int, user_id: int, line_id: int) -> None:
    """Hide a line from the page, as an officer. Reports still contain it. Raises OFFICERS_ONLY."""
    leads = ClubMember.objects.filter(
        club=club_id, user=user_id, role__in=LEADS, user__is_active=True, club__closed_at=None
    )
    if not leads.exists():
        raise Refusal(OFFICERS_ONLY)
    ChatLine.objects.filter(pk=line_id, club=club_id, hidden_at=None).update(hidden_at=Now())


@transaction.atomic
def report_in_club(
    *, reporter_id: int, reported_id: int, club_id: int, reason: ReportReason, words: str
) -> Report:
    """Report a current or former member of the same club to the staff.

    The report has a copy of the chat, including hidden lines. Raises MEMBERS_ONLY, NO_SUCH_PLAYER or
    TOO_MANY_REPORTS.
    """
    User.objects.select_for_update(no_key=True).only("pk").get(pk=reporter_id)
    if not ClubMember.objects.filter(club=club_id, user=reporter_id, role__in=BELONGS).exists():
        raise Refusal(MEMBERS_ONLY)
    if reporter_id == reported_id or person_in(club_id, reported_id) is None:
        raise Refusal(NO_SUCH_PLAYER)
    report = Report(
        reporter_id=reporter_id,
        reported_id=reported_id,
        club_id=club_id,
        reason=reason,
        words=words,
    )
    return file_report(report, _list_last_lines(club_id))


def _list_last_lines(club_id: int) -> Sequence[ChatLine]:
    lines = ChatLine.objects.filter(club=club_id).select_related("user").order_by("-pk")
    return list(reversed(lines[:LINES_IN_A_REPORT]))
