"""The chips that two players have won of each other on one day."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class ChipsPassed(models.Model):
    """One player's winnings from another on one day of the site, in all matches for chips together.

    `chips` went from the player with the higher number to the one with the lower; negative ones
    went the other way. A loser's chips go to the winners in proportion to their winnings.
    """

    day = models.DateField()
    low = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    high = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    chips = models.BigIntegerField(default=0)
    # They have played from one browser or address on that day.
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
