from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from wallet.desk.pages import WhereCashIsOn
from wallet.models import ProviderChoice
from wallet.payments.providers import list_providers


class ProviderChoiceForm(forms.ModelForm):  # type: ignore[type-arg] # not generic at run time
    provider = forms.ChoiceField(
        label=_("Provider"),
        help_text=_(
            "Used for new payments from now on. Payments, refunds and payouts begun with "
            "another provider stay with it."
        ),
    )

    class Meta:
        model = ProviderChoice
        fields = ("provider", "valid_from")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "provider" in self.fields:
            codes = [(listed.code, listed.code) for listed in list_providers()]
            self.fields["provider"].choices = codes  # type: ignore[attr-defined] # a ChoiceField


@admin.register(ProviderChoice)
class ProviderChoiceAdmin(WhereCashIsOn):
    """Choices of the provider. One that is or was in effect cannot be changed; add a new one."""

    asks_reason = True
    form = ProviderChoiceForm
    list_display = ("valid_from", "provider")
    ordering = ("-valid_from",)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        is_ahead = obj is None or obj.valid_from > timezone.now()
        return is_ahead and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        is_ahead = obj is not None and obj.valid_from > timezone.now()
        return is_ahead and super().has_delete_permission(request, obj)
