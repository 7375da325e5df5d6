"""Helpers that send chat lines and report players."""

from typing import Any

from accounts.models import User
from tables.chat.moderation import ModeratedLine
from tables.chat.selectors import chat_for
from tables.chat.services import post_line, report
from tables.models import Report, ReportReason, Table


def say_as(user: User, table: Table, text: str = "", phrase: str = "") -> Any:
    return post_line(
        table_id=table.pk, user_id=user.pk, line=ModeratedLine(phrase=phrase, text=text)
    )


def file_report(
    table: Table,
    reporter: User,
    reported: User,
    *,
    reason: ReportReason = ReportReason.OTHER,
    words: str = "",
) -> Report:
    return report(
        reporter_id=reporter.pk,
        reported_id=reported.pk,
        table_id=table.pk,
        reason=reason,
        words=words,
    )


def list_lines(table: Table, user: User, **more: Any) -> Any:
    return chat_for(table.pk, user.pk, **more)[1]
