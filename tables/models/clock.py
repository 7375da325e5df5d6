"""The traces that clock processes leave."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class ClockBeat(models.Model):
    """When a clock was heard of last; every clock process beats each second."""

    id = models.SmallIntegerField(primary_key=True, default=1)
    beat_at = models.DateTimeField()

    class Meta:
        verbose_name = _("beat of the clock")
        verbose_name_plural = _("beats of the clock")
        constraints = [
            models.CheckConstraint(condition=models.Q(id=1), name="there_is_one_row_of_the_clock")
        ]

    def __str__(self) -> str:
        return f"last beat at {self.beat_at}"


class ClockOutage(models.Model):
    """A time in which no clock beat. Running deadlines move back by what they lost of it, each at
    its own table (tables/play/faults.py)."""

    began_at = models.DateTimeField(_("began at"))
    ended_at = models.DateTimeField(_("ended at"))

    class Meta:
        verbose_name = _("outage of the clock")
        verbose_name_plural = _("outages of the clock")

    def __str__(self) -> str:
        return f"outage of {(self.ended_at - self.began_at).total_seconds():.0f} s"
