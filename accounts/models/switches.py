from django.db import models
from django.utils.translation import gettext_lazy as _


class FeatureSwitch(models.Model):
    """Whether a part of the site is offered now; one row for each part, made after every migration."""

    feature = models.CharField(_("part of the site"), max_length=40, unique=True)
    is_on = models.BooleanField(_("on"), default=True)

    class Meta:
        verbose_name = _("switch")
        verbose_name_plural = _("switches")
        db_table = "accounts_feature_switch"

    def __str__(self) -> str:
        return self.feature
