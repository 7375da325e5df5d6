"""Which payment provider takes new payments."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class ProviderChoice(models.Model):
    """From a moment on this one of the listed providers takes what begins; the newest that counts."""

    provider = models.CharField(_("provider"), max_length=40)
    valid_from = models.DateTimeField(_("valid from"), default=timezone.now, unique=True)

    class Meta:
        verbose_name = _("choice of payment provider")
        verbose_name_plural = _("choices of payment provider")
        db_table = "wallet_provider_choice"

    def __str__(self) -> str:
        return self.provider
