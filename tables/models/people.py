"""Relations between players: following, blocking, invitations to a table."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tables.models.table import Table


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
    """These two cannot follow, invite or read each other, whichever of them blocked the other."""

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
    """An invitation of a friend to a table. It ends when the table closes, or after some hours."""

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
    """One player's winnings from another on one local day, in all matches for chips.

    `chips` went from the player with the higher number to the one with the lower; negative ones went the
    other way. A loser's chips go to the winners in proportion to their winnings.
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
