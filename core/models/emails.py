from typing import Any

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class OutgoingEmail(models.Model):
    """An e-mail that waits to be sent. The row is deleted after sending."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    subject = models.TextField()
    text = models.TextField()
    # The address that stops e-mails of this kind; empty for those that everybody gets.
    stop_url = models.TextField(blank=True, db_default="", default="")
    written_at = models.DateTimeField()
    # The time of the next attempt.
    send_at = models.DateTimeField(db_default=Now(), db_index=True)

    class Meta:
        verbose_name = _("e-mail to send")
        verbose_name_plural = _("e-mails to send")

    def __str__(self) -> str:
        return f"e-mail #{self.pk}"


def language_choices() -> list[tuple[str, Any]]:
    """Return the site's languages. Migrations call this function instead of listing the languages."""
    return list(settings.LANGUAGES)


class MailText(models.Model):
    """The operator's own text for a kind of e-mail, in one language."""

    kind = models.CharField(_("mail"), max_length=40)
    language = models.CharField(_("language"), max_length=10, choices=language_choices)
    subject = models.CharField(_("subject"), max_length=200)
    text = models.TextField(_("text"), max_length=5_000)

    class Meta:
        verbose_name = _("e-mail text")
        verbose_name_plural = _("e-mail texts")
        db_table = "core_mail_text"
        permissions = [("write_secret_links", "Can write mails with secret links")]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "language"],
                name="core_mail_text_once_in_a_language",
                violation_error_message=_("This e-mail already has a text in this language."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} ({self.language})"
