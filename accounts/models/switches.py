from django.db import models
from django.utils.translation import gettext_lazy as _


class FeatureSwitch(models.Model):
    """The switch of a part of the site. Every migration makes the missing rows."""

    feature = models.CharField(_("part of the site"), max_length=40, unique=True)
    is_on = models.BooleanField(_("on"), default=True)

    class Meta:
        verbose_name = _("switch")
        verbose_name_plural = _("switches")
        db_table = "accounts_feature_switch"

    def __str__(self) -> str:
        return self.feature
