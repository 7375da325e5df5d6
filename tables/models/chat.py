"""Chat at tables, ignored players, and reports."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tables.models.clubs import Club
from tables.models.match import Match
from tables.models.table import Table

LONGEST_LINE = 160


class ChatLine(models.Model):
    """One line: a phrase by its code, or a player's own words."""

    # Said at a table or in a club; the other is null.
    table = models.ForeignKey(
        Table, models.CASCADE, null=True, related_name="chat", db_constraint=False
    )
    club = models.ForeignKey(Club, models.CASCADE, null=True, related_name="chat")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    phrase = models.CharField(_("phrase"), max_length=20, default="", blank=True)
    text = models.CharField(_("text"), max_length=LONGEST_LINE, default="", blank=True)
    # Said without a seat: shown to other spectators, never to players.
    from_watcher = models.BooleanField(_("from a watcher"), default=False, db_default=False)
    said_at = models.DateTimeField(_("said at"), db_default=Now())
    # When an officer removed the line from the club's page. Reports still show it.
    hidden_at = models.DateTimeField(_("hidden at"), null=True, blank=True)

    class Meta:
        verbose_name = _("line of a chat")
        verbose_name_plural = _("lines of chats")
        indexes = [
            models.Index(fields=["table", "-id"], name="chat_of_a_table"),
            models.Index(
                fields=["table", "-id"],
                name="chat_of_watchers",
                condition=models.Q(from_watcher=True),
            ),
            models.Index(
                fields=["club", "-id"],
                name="chat_of_a_club",
                condition=models.Q(club__isnull=False),
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(phrase="") ^ models.Q(text=""),
                name="a_line_is_a_phrase_or_words",
            ),
            models.CheckConstraint(
                condition=models.Q(table__isnull=True) ^ models.Q(club__isnull=True),
                name="a_line_is_said_at_a_table_or_in_a_club",
            ),
            models.CheckConstraint(
                condition=models.Q(from_watcher=False) | models.Q(text="", club__isnull=True),
                name="watchers_say_phrases_at_tables",
            ),
        ]

    def __str__(self) -> str:
        place = f"table #{self.table_id}" if self.club_id is None else f"club #{self.club_id}"
        return f"line {self.pk} at {place}"


class IgnoredPlayer(models.Model):
    """A player whose lines this player does not want to read."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="ignored")
    ignored = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")

    class Meta:
        verbose_name = _("ignored player")
        verbose_name_plural = _("ignored players")
        constraints = [
            models.UniqueConstraint(fields=["user", "ignored"], name="a_player_is_ignored_once"),
            models.CheckConstraint(
                condition=~models.Q(user=models.F("ignored")), name="nobody_ignores_himself"
            ),
        ]

    def __str__(self) -> str:
        return f"user #{self.user_id} ignores user #{self.ignored_id}"


class ReportReason(models.TextChoices):
    ABUSE = "ABUSE", _("Insults or threats")
    COLLUSION = "COLLUSION", _("Players who help each other")
    CHEATING = "CHEATING", _("Cheating or a program that plays")
    NAME = "NAME", _("An improper name")
    OTHER = "OTHER", _("Something else")


class ReportStatus(models.TextChoices):
    OPEN = "OPEN", _("Open")
    ACTED = "ACTED", _("Acted upon")
    DISMISSED = "DISMISSED", _("Dismissed")


class Report(models.Model):
    """A player's report about another player, not about a single line.

    `chat` is a copy of the last lines of all players, with their names. `reason` says what the report is
    about.
    """

    reporter = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    reported = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="reports_about"
    )
    table = models.ForeignKey(
        Table, models.PROTECT, null=True, blank=True, related_name="+", db_constraint=False
    )
    club = models.ForeignKey(
        Club, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("club")
    )
    match = models.ForeignKey(
        Match, models.PROTECT, null=True, blank=True, related_name="+", db_constraint=False
    )
    reason = models.CharField(_("reason"), max_length=10, choices=ReportReason)
    words = models.CharField(_("in the player's words"), max_length=500, default="", blank=True)
    chat = models.JSONField(_("chat at that time"), default=list)
    created_at = models.DateTimeField(_("reported at"), db_default=Now())
    status = models.CharField(
        _("status"), max_length=10, choices=ReportStatus, default=ReportStatus.OPEN
    )
    note = models.CharField(_("note of the staff"), max_length=500, default="", blank=True)
    handled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        verbose_name = _("report about a player")
        verbose_name_plural = _("reports about players")
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(reporter=models.F("reported")), name="nobody_reports_himself"
            ),
            models.CheckConstraint(
                condition=models.Q(table__isnull=True) ^ models.Q(club__isnull=True),
                name="a_report_is_about_a_table_or_a_club",
            ),
        ]

    def __str__(self) -> str:
        return f"report #{self.pk}"
