"""The operator's notices on every page, and the times when play rests."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

LONGEST_TEXT = 300


class SiteNotice(models.Model):
    """Shown from one moment to another. With `play_stops_at` it announces maintenance: from then until
    it is shown no longer no new match and no tournament begins; what runs is played to its end."""

    text = models.CharField(_("text"), max_length=LONGEST_TEXT)
    text_hi = models.CharField(
        _("text in Hindi"),
        max_length=LONGEST_TEXT,
        blank=True,
        help_text=_("Empty: everybody reads the other one."),
    )
    is_urgent = models.BooleanField(
        _("urgent"), default=False, help_text=_("It stands out from other announcements.")
    )
    shown_from = models.DateTimeField(_("shown from"))
    shown_until = models.DateTimeField(
        _("shown until"), null=True, blank=True, help_text=_("Empty: until you set it.")
    )
    play_stops_at = models.DateTimeField(
        _("play stops at"),
        null=True,
        blank=True,
        help_text=_(
            "Maintenance: from then on no new match begins, until the announcement is shown no "
            "longer. Show it well before, so that people know. Empty: play goes on."
        ),
    )

    class Meta:
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")
        constraints = [
            models.CheckConstraint(
                condition=Q(shown_until=None) | Q(shown_until__gt=F("shown_from")),
                name="accounts_site_notice_ends_after_it_begins",
                violation_error_message=_("It must end after it begins."),
            ),
            models.CheckConstraint(
                condition=Q(play_stops_at=None)
                | Q(play_stops_at__gte=F("shown_from"), shown_until=None)
                | Q(play_stops_at__gte=F("shown_from"), shown_until__gt=F("play_stops_at")),
                name="accounts_site_notice_stops_play_while_it_is_shown",
                violation_error_message=_(
                    "Play stops while the announcement is shown, not before."
                ),
            ),
        ]

    def __str__(self) -> str:
        return self.text[:60]
