from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class MailText(models.Model):
    """The operator's own text for a kind of mail, in one language."""

    kind = models.CharField(_("mail"), max_length=40)
    language = models.CharField(_("language"), max_length=10, choices=settings.LANGUAGES)
    subject = models.CharField(_("subject"), max_length=200)
    text = models.TextField(_("text"), max_length=5_000)

    class Meta:
        verbose_name = _("text of a mail")
        verbose_name_plural = _("texts of mails")
        db_table = "accounts_mail_text"
        permissions = [("write_secret_links", "Can write mails with secret links")]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "language"],
                name="accounts_mail_text_once_in_a_language",
                violation_error_message=_("This mail is written in this language already."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} ({self.language})"
