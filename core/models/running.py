"""Rows about running the site: alerts, backups, notes on its setup, and leases of jobs.

`deploy/backup.sh` records backups.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

LONGEST_VALUE = 100


class Told(models.TextChoices):
    """The kinds of the last message that was sent about an alert, by e-mail or to the operator's address."""

    NOTHING = "", _("nothing")
    BEGAN = "BEGAN", _("that it began")
    ENDED = "ENDED", _("that it is over")


class Alert(models.Model):
    """A figure of the administration's first page that has turned red. `code` is its English label."""

    code = models.CharField(_("what"), max_length=100)
    value = models.CharField(_("value"), max_length=LONGEST_VALUE)
    began_at = models.DateTimeField(_("began"))
    checked_at = models.DateTimeField(_("checked"))
    ended_at = models.DateTimeField(_("over"), null=True, blank=True)
    mailed = models.CharField(_("mailed"), max_length=5, choices=Told, default="", blank=True)
    posted = models.CharField(_("posted"), max_length=5, choices=Told, default="", blank=True)

    class Meta:
        verbose_name = _("alert")
        verbose_name_plural = _("alerts")
        constraints = [
            models.UniqueConstraint(
                fields=["code"],
                condition=models.Q(ended_at__isnull=True),
                name="core_alert_of_a_kind_is_one_at_a_time",
            )
        ]

    def __str__(self) -> str:
        return self.code


class Backup(models.Model):
    """A complete backup. `checked_at` is the time at which it was last restored successfully."""

    name = models.CharField(_("name"), max_length=100, unique=True)
    size_bytes = models.BigIntegerField(_("bytes"))
    made_at = models.DateTimeField(_("made"), db_index=True)
    checked_at = models.DateTimeField(_("restored and checked"), null=True, blank=True)

    class Meta:
        verbose_name = _("backup")
        verbose_name_plural = _("backups")

    def __str__(self) -> str:
        return self.name


class SetupNote(models.Model):
    """A trial or decision of staff on the page "Set up your site". `code` names a line of the page."""

    code = models.CharField(max_length=40, unique=True)
    value = models.TextField(blank=True)

    class Meta:
        verbose_name = _("note about the set-up")
        verbose_name_plural = _("notes about the set-up")
        db_table = "core_setup_note"

    def __str__(self) -> str:
        return self.code


class Lease(models.Model):
    """A job that a process is doing. After `until` the process is considered dead."""

    job = models.CharField(max_length=40, unique=True)
    until = models.DateTimeField()

    def __str__(self) -> str:
        return self.job
