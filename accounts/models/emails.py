from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from accounts.models.users import User


class OutgoingEmail(models.Model):
    """A mail that is still to be sent; the row goes when it has been."""

    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    subject = models.TextField()
    text = models.TextField()
    written_at = models.DateTimeField()
    # When it is tried next.
    send_at = models.DateTimeField(db_default=Now(), db_index=True)

    class Meta:
        verbose_name = _("e-mail to send")
        verbose_name_plural = _("e-mails to send")

    def __str__(self) -> str:
        return f"e-mail #{self.pk}"
