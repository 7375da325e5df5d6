"""What checks of the ledger found, for staff to read."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from accounts.decisions import LookOnlyAdmin
from wallet.models import LedgerCheck


@admin.register(LedgerCheck)
class LedgerCheckAdmin(LookOnlyAdmin):
    """The newest decides whether anything is paid out."""

    list_display = ("checked_at", "found", "first", "head")
    ordering = ("-checked_at",)
    fields = ("checked_at", "found", "listed", "head")
    readonly_fields = ("listed",)

    @admin.display(description=_("first finding"))
    def first(self, obj: LedgerCheck) -> str:
        return obj.first

    @admin.display(description=_("first findings"))
    def listed(self, obj: LedgerCheck) -> str:
        return "\n".join(f"{one['check']}: {one['subject']}" for one in obj.findings)
