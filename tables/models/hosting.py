"""A host's choices for a private table, and each player's defaults for the next one."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tables.models.clubs import Club
from tables.models.stakes import GAME_LENGTH


class Admission(models.TextChoices):
    LINK = "link", _("Anyone with the link")
    FRIENDS = "friends", _("Only my friends")
    CLUB = "club", _("Members of the club")
    ANYBODY = "anybody", _("Anybody: the table is listed")


class Hosted(models.Model):
    """The settings of a private table: who may join it, and how. All other tables have the defaults."""

    admission = models.CharField(
        _("who may come"),
        max_length=8,
        choices=Admission,
        default=Admission.LINK,
        db_default=Admission.LINK,
        help_text=_("For private tables only."),
    )
    # The club that the table was opened for, or null.
    club = models.ForeignKey(
        Club,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="tables",
        verbose_name=_("club"),
        db_constraint=False,
    )
    allows_watchers = models.BooleanField(_("allows watchers"), default=True, db_default=True)
    allows_chat = models.BooleanField(_("allows chat"), default=True, db_default=True)
    # The player who received the host's role; null for the player who opened the table.
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        db_constraint=False,
    )
    # Users whom the host has sent away; null for nobody.
    sent_away = ArrayField(models.BigIntegerField(), null=True, blank=True)

    class Meta:
        abstract = True


class UsualTable(models.Model):
    """The choices with which a player last opened a private table of a game."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    game = models.CharField(max_length=GAME_LENGTH)
    choices = models.JSONField()
    chosen_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("usual private table")
        verbose_name_plural = _("usual private tables")
        constraints = [
            models.UniqueConstraint(fields=["user", "game"], name="a_player_has_one_usual_table")
        ]

    def __str__(self) -> str:
        return f"usual {self.game} table of user #{self.user_id}"
