"""Administration pages for webhooks and for the log of their deliveries."""

from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from core.administration.audit import build_staff, record_act
from core.administration.lists import DayRange
from core.administration.pages import AuditedAdmin, LookOnlyAdmin, ReasonedActionForm, read_reason
from core.models.webhooks import Webhook, WebhookDelivery, WebhookEvent
from core.values.hosts import to_ascii_host
from core.webhooks.delivery import give_up_deliveries, send_again
from core.webhooks.outside import SCHEMES, InnerAddress, find_addresses


class WebhookForm(forms.ModelForm):  # type: ignore[type-arg] # not subscriptable
    events = forms.MultipleChoiceField(
        label=_("Events"), choices=WebhookEvent, widget=forms.CheckboxSelectMultiple
    )

    url = forms.URLField(label=_("Address"), max_length=500, assume_scheme="https")

    class Meta:
        model = Webhook
        fields = ("name", "url", "events", "secret", "is_active")

    def clean_url(self) -> str:
        """Refuse an address inside the operator's network.

        A name that cannot be resolved now is checked when it is used.
        """
        url: str = self.cleaned_data["url"]
        parts = urlsplit(url)
        if parts.scheme not in SCHEMES:
            raise ValidationError(_("Enter an address that begins with https:// or http://."))
        try:
            find_addresses(
                to_ascii_host(parts.hostname or ""),
                parts.port or 443,
                inner_hosts=settings.WEBHOOK_INNER_HOSTS,
            )
        except InnerAddress as error:
            raise ValidationError(
                _(
                    "This address is inside your own network. If that is intended, add "
                    "its host to WEBHOOK_INNER_HOSTS."
                )
            ) from error
        except ValueError as error:
            raise ValidationError(URLValidator.message, code=URLValidator.code) from error
        except OSError:
            pass
        return url


@admin.register(Webhook)
class WebhookAdmin(AuditedAdmin):
    asks_reason = True
    form = WebhookForm
    list_display = ("name", "url", "owner", "events", "is_active", "made_at")
    list_select_related = ("owner",)
    list_filter = ("is_active", ("owner", admin.EmptyFieldListFilter))
    search_fields = ("name", "url", "owner__player_name")
    ordering = ("pk",)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether staff may change the webhook. They may not change a player's, only delete it."""
        return (obj is None or obj.owner_id is None) and super().has_change_permission(request, obj)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        super().save_model(request, obj, form, change)
        if not obj.is_active:
            give_up_deliveries(obj.pk)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        if obj is None or obj.owner_id is None:
            return super().get_fields(request, obj)
        return ("owner", "name", "url", "events", "is_active")


@admin.register(WebhookDelivery)
class WebhookDeliveryAdmin(LookOnlyAdmin):
    list_display = ("made_at", "webhook", "event", "delivered_at", "due_at", "tries", "answer")
    list_select_related = ("webhook",)
    list_filter = (
        "webhook",
        "event",
        ("delivered_at", admin.EmptyFieldListFilter),
        ("made_at", DayRange),
    )
    ordering = ("-pk",)
    fields = (
        "webhook",
        "number",
        "event",
        "body",
        "made_at",
        "due_at",
        "tries",
        "delivered_at",
        "answer",
    )
    action_form = ReasonedActionForm
    actions = ("again",)

    @admin.action(description=_("Send again"), permissions=["view"])
    def again(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        if not (reason := read_reason(request)):
            return
        for delivery in chosen:
            with record_act(
                by=build_staff(request), obj=delivery, action="send again", reason=reason
            ):
                send_again(delivery, now=timezone.now())
        text = ngettext(
            "%(count)s delivery will be sent again.",
            "%(count)s deliveries will be sent again.",
            len(chosen),
        )
        messages.success(request, text % {"count": len(chosen)})
