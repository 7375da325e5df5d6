"""Relations between players: following, blocking, invitations to a table, chat and reports."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tables.models.clubs import Club
from tables.models.match import Match
from tables.models.table import Table

LONGEST_LINE = 160


class Follow(models.Model):
    """One player follows another. Two who follow each other are friends."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    followed = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    since = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("followed player")
        verbose_name_plural = _("followed players")
        constraints = [
            models.UniqueConstraint(fields=["user", "followed"], name="a_player_is_followed_once"),
            models.CheckConstraint(
                condition=~models.Q(user=models.F("followed")), name="nobody_follows_themselves"
            ),
        ]

    def __str__(self) -> str:
        return f"user #{self.user_id} follows user #{self.followed_id}"


class Block(models.Model):
    """One player's block of another. Neither can follow or invite the other, or read the other's chat lines.

    It makes no difference which of the two blocked the other.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    blocked = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    since = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("blocked player")
        verbose_name_plural = _("blocked players")
        constraints = [
            models.UniqueConstraint(fields=["user", "blocked"], name="a_player_is_blocked_once"),
            models.CheckConstraint(
                condition=~models.Q(user=models.F("blocked")), name="nobody_blocks_themselves"
            ),
        ]

    def __str__(self) -> str:
        return f"user #{self.user_id} blocks user #{self.blocked_id}"


class TableInvitation(models.Model):
    """An invitation to a table from one friend to another. It ends when the table closes, or after some hours."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="+", db_constraint=False)
    sender = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    invited = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    sent_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("invitation to a table")
        verbose_name_plural = _("invitations to tables")
        constraints = [
            models.UniqueConstraint(
                fields=["table", "sender", "invited"], name="a_friend_is_asked_once_to_a_table"
            )
        ]

    def __str__(self) -> str:
        return f"user #{self.sender_id} asks user #{self.invited_id} to table #{self.table_id}"


class ChipsPassed(models.Model):
    """The chips that one player has won from another on one local day, over all matches for chips.

    Positive `chips` went from the player with the higher id to the one with the lower id, negative ones the other way.
    A loser's chips are attributed to the winners in proportion to their winnings.
    """

    day = models.DateField()
    low = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    high = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    chips = models.BigIntegerField(default=0)
    # Both have played from the same browser or address on that day.
    one_origin = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("chips between two players")
        verbose_name_plural = _("chips between two players")
        constraints = [
            models.UniqueConstraint(fields=["day", "low", "high"], name="a_pair_has_one_day"),
            models.CheckConstraint(
                condition=models.Q(low__lt=models.F("high")), name="a_pair_is_in_order"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.chips} chips to user #{self.low_id} from user #{self.high_id} on {self.day}"


class ChatLine(models.Model):
    """One line of chat: a phrase by its code, or a player's own words."""

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
    said_at = models.DateTimeField(_("sent at"), db_default=Now())
    # When an officer removed the line from the club's page. Reports still show it.
    hidden_at = models.DateTimeField(_("hidden at"), null=True, blank=True)

    class Meta:
        verbose_name = _("chat line")
        verbose_name_plural = _("chat lines")
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
    """A player whose chat lines this player has chosen not to see."""

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
    note = models.CharField(_("staff note"), max_length=500, default="", blank=True)
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
                condition=models.Q(table__isnull=True) | models.Q(club__isnull=True),
                name="a_report_is_not_about_a_table_and_a_club",
            ),
        ]

    def __str__(self) -> str:
        return f"report #{self.pk}"


class Sanction(models.Model):
    """A decision of the staff against a player: a warning, or a silence, which bars free text in every chat.

    The player reads `reason` and `words`.
    """

    class Kind(models.TextChoices):
        WARNING = "WARNING", _("Warning")
        SILENCE = "SILENCE", _("Silence")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="sanctions", verbose_name=_("player")
    )
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    reason = models.CharField(_("reason"), max_length=10, choices=ReportReason)
    words = models.CharField(_("our explanation"), max_length=500, default="", blank=True)
    report = models.ForeignKey(
        Report, models.PROTECT, null=True, related_name="sanctions", verbose_name=_("report")
    )
    decided_at = models.DateTimeField(_("decided"), db_default=Now())
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("decided by")
    )
    # The id of the submitted form: submitting the same form again is refused.
    form = models.UUIDField(null=True, unique=True, editable=False)
    # A silence ends by itself then, or never if this is null; a warning has no end.
    ends_at = models.DateTimeField(_("ends"), null=True)
    lifted_at = models.DateTimeField(_("lifted"), null=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        related_name="+",
        verbose_name=_("lifted by"),
    )

    class Meta:
        verbose_name = _("sanction")
        verbose_name_plural = _("sanctions")
        permissions = [("decide_sanction", "Can warn and silence players")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind="SILENCE")
                | models.Q(ends_at__isnull=True, lifted_at__isnull=True),
                name="only_a_silence_ends",
            ),
            models.CheckConstraint(
                condition=models.Q(lifted_at__isnull=True, lifted_by__isnull=True)
                | models.Q(lifted_at__isnull=False, lifted_by__isnull=False),
                name="a_silence_is_lifted_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} #{self.pk}"
