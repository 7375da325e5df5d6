"""The audit log. Its rows are never changed."""

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

AUDIT_TABLE = "core_audit_entry"


class AuditEntry(models.Model):
    """An act of a staff member on an object. The database refuses changes to a row."""

    at = models.DateTimeField(_("time"), db_default=Now())
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("staff")
    )
    # The name at that time: accounts are renamed and closed.
    staff_name = models.TextField()
    address = models.GenericIPAddressField(_("address"), null=True)
    action = models.TextField(_("action"))
    object_type = models.TextField(_("kind of object"))
    object_id = models.TextField(_("number of the object"))
    # Empty for a person: their name is read when the log is shown.
    object_name = models.TextField(_("object"))
    # Fields whose value changed, by name.
    before = models.JSONField(_("before"), encoder=DjangoJSONEncoder)
    after = models.JSONField(_("after"), encoder=DjangoJSONEncoder)
    reason = models.TextField(_("reason"), blank=True)

    class Meta:
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit log")
        db_table = AUDIT_TABLE
        indexes = [
            models.Index(fields=["object_type", "object_id"], name="audit_entries_of_an_object"),
            models.Index(fields=["at"], name="audit_entries_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.object_type} {self.object_id}"
