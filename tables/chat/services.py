"""Talking at a table, not hearing somebody, telling the staff about him."""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from tables.chat.moderation import Line, checked
from tables.chat.selectors import chat_of
from tables.models import (
    ChatLine,
    IgnoredPlayer,
    Match,
    Report,
    ReportReason,
    Seat,
    Table,
)
from tables.refusals import NoSuchPlayer

LINES_IN_A_REPORT = 50


@transaction.atomic
def say(*, table_id: int, user_id: int, line: Line) -> ChatLine:
    """Say something to everybody who sits at the table. Raises a Refusal; then nothing is said."""
    # Two sockets, be it at two tables, cannot both say the last line that is allowed.
    User.objects.select_for_update(no_key=True).only("pk").get(pk=user_id)
    said = checked(line, table_id=table_id, user_id=user_id)
    return ChatLine.objects.create(
        table_id=table_id, user_id=user_id, phrase=said.phrase, text=said.text
    )


def ignore(*, user_id: int, ignored_id: int, table_id: int) -> None:
    """From now on this player reads nothing of the other. Raises NoSuchPlayer."""
    _refuse_strangers(user_id, ignored_id, table_id)
    IgnoredPlayer.objects.get_or_create(user_id=user_id, ignored_id=ignored_id)


def listen_again(*, user_id: int, ignored_id: int) -> None:
    IgnoredPlayer.objects.filter(user_id=user_id, ignored_id=ignored_id).delete()


@transaction.atomic
def report(
    *, reporter_id: int, reported_id: int, table_id: int, reason: ReportReason, words: str
) -> Report:
    """Tell the staff about a player of one's table, with the chat of now. Raises NoSuchPlayer."""
    _refuse_strangers(reporter_id, reported_id, table_id)
    table = Table.objects.get(pk=table_id)
    return Report.objects.create(
        reporter_id=reporter_id,
        reported_id=reported_id,
        table=table,
        match=Match.objects.filter(table=table).order_by("-pk").first(),
        reason=reason,
        words=words,
        chat=_excerpt(chat_of(table_id=table_id, length=LINES_IN_A_REPORT)),
    )


def _excerpt(lines: Sequence[ChatLine]) -> list[Mapping[str, str]]:
    return [
        {
            "at": line.said_at.isoformat(timespec="seconds"),
            "player": line.user.player_name,
            "line": line.phrase or line.text,
        }
        for line in lines
    ]


def _refuse_strangers(user_id: int, other_id: int, table_id: int) -> None:
    both = Q(user_id=user_id) | Q(user_id=other_id)
    people = Seat.objects.filter(both, table_id=table_id, user__is_bot=False)
    if user_id == other_id or people.values("user_id").distinct().count() != 2:  # noqa: PLR2004
        raise NoSuchPlayer
