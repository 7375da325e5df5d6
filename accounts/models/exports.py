"""A file of everything kept of a person, made at their request."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class AccountExport(models.Model):
    """Asked for, then made by a job; its file goes after a while (accounts/exports/exports.py)."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="exports")
    asked_at = models.DateTimeField(db_default=Now())
    made_at = models.DateTimeField(null=True)
    # In the private storage; empty before it is made and once it is gone.
    stored_as = models.TextField(default="")

    class Meta:
        verbose_name = _("export of an account")
        verbose_name_plural = _("exports of accounts")
        db_table = "accounts_export"
        constraints = [
            models.UniqueConstraint(
                fields=["user"],
                condition=models.Q(made_at__isnull=True),
                name="accounts_export_one_at_a_time",
            )
        ]

    def __str__(self) -> str:
        return f"export #{self.pk} of user #{self.user_id}"
