"""What the clock processes leave behind."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class ClockBeat(models.Model):
    """When a clock last looked: after a gap, running deadlines are moved back before any fires."""

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
