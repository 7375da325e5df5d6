from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.audit.audited_admin import AuditedAdmin, ReasonedActionForm, given_reason
from accounts.audit.log import acting, staff_of
from accounts.models.switches import FeatureSwitch
from accounts.notifications.site.content import site_has_changed
from accounts.notifications.site.features import FEATURES


@admin.register(FeatureSwitch)
class FeatureSwitchAdmin(AuditedAdmin):
    """Switched in the list, several with one reason; what has begun goes on."""

    list_display = ("title", "is_on")
    list_display_links = None
    ordering = ("feature",)
    actions = ("switch_off", "switch_on")
    action_form = ReasonedActionForm
    fields = readonly_fields = ("title", "is_on")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.display(description=_("part of the site"), ordering="feature")
    def title(self, switch: FeatureSwitch) -> str:
        return str(FEATURES.get(switch.feature, switch.feature))

    @admin.action(description=_("Switch off"), permissions=["change"])
    def switch_off(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        self._set(request, queryset, is_on=False)

    @admin.action(description=_("Switch on"), permissions=["change"])
    def switch_on(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        self._set(request, queryset, is_on=True)

    def _set(self, request: HttpRequest, queryset: QuerySet[Any], *, is_on: bool) -> None:
        reason = given_reason(request)
        if not reason:
            return
        for switch in queryset.exclude(is_on=is_on):
            action = "switch on" if is_on else "switch off"
            with acting(by=staff_of(request), obj=switch, action=action, reason=reason):
                FeatureSwitch.objects.filter(pk=switch.pk).update(is_on=is_on)
                site_has_changed()
            self.note_history(request, switch, action)
            messages.success(request, gettext("%(row)s: done.") % {"row": self.title(switch)})
