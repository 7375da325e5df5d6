from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from core.administration.pages import AuditedAdmin
from wallet.cash import cash_is_on
from wallet.money import Currency, format_amount

_WEBHOOK_FIELDS = ("received_at", "event_id", "payment_id", "outcome", "amount", "effect")


def in_rupees(field: str, label: Any) -> Callable[[Any, Any], str]:
    """A column or field that shows paise as people read them."""

    @admin.display(description=label, ordering=field)
    def column(_admin: Any, obj: Any) -> str:
        return f"₹{format_amount(getattr(obj, field), Currency.INR)}"

    return column


class WhereCashIsOn(AuditedAdmin):
    def has_module_permission(self, request: HttpRequest) -> bool:
        return cash_is_on() and super().has_module_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return cash_is_on() and super().has_view_permission(request, obj)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return cash_is_on() and super().has_add_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return cash_is_on() and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return cash_is_on() and super().has_delete_permission(request, obj)


class WebhookInline(admin.TabularInline):  # type: ignore[type-arg] # not generic at run time
    extra = 0
    can_delete = False
    fields = readonly_fields = _WEBHOOK_FIELDS

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return True  # staff who see the case see what was said about it
