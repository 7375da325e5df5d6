"""The queue of identity checks."""

import logging
from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from accounts.identity import services
from accounts.identity.services import identity_is_asked_for
from accounts.models import IdentityCheck, IdentityDocument
from accounts.models.identity import Residence
from core import private_files
from core.administration.audit import build_staff, write_entry
from core.administration.lists import DayRange
from core.administration.pages import AuditedAdmin, Decision, DecisionAdmin
from core.models.site import Region
from core.site.content import refresh_site_after_commit

log = logging.getLogger(__name__)


@admin.register(IdentityCheck)
class IdentityCheckAdmin(DecisionAdmin):
    decision_permission = "accounts.decide_identitycheck"
    list_display = ("user", "full_name", "document_kind", "state", "submitted_at", "decided_by")
    list_filter = ("state", "document_kind", ("submitted_at", DayRange))
    list_select_related = ("user", "decided_by")
    search_fields = ("user__email", "user__player_name", "full_name", "document_number")
    # The longest waiting first.
    ordering = ("decided_at", "submitted_at")
    fields = (
        "user",
        "full_name",
        "born_on",
        "document_kind",
        "document_number",
        "images",
        "state",
        "reason",
        "submitted_at",
        "decided_at",
        "decided_by",
    )
    readonly_fields = ("images",)

    def decisions(self, obj: IdentityCheck) -> Sequence[Decision]:
        if obj.state != IdentityCheck.State.SUBMITTED:
            return ()
        return (
            Decision("approve", _("Approve"), _("The identity is approved.")),
            Decision(
                "refuse",
                _("Refuse"),
                _("The identity check is refused, and the player is told why."),
                is_against=True,
            ),
        )

    def decide(self, request: HttpRequest, obj: IdentityCheck, code: str, reason: str) -> None:
        staff_id = int(request.user.pk or 0)
        if code == "approve":
            services.approve_identity_check(check_id=obj.pk, staff_id=staff_id)
        else:
            services.refuse_identity_check(check_id=obj.pk, staff_id=staff_id, reason=reason)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return identity_is_asked_for() and super().has_module_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return identity_is_asked_for() and super().has_view_permission(request, obj)

    def get_urls(self) -> list[URLPattern]:
        page = self.admin_site.admin_view(self.image)
        address = "documents/<int:document_id>/"
        return [path(address, page, name="accounts_identitycheck_image"), *super().get_urls()]

    @admin.display(description=_("images"))
    def images(self, obj: IdentityCheck) -> SafeString:
        return format_html_join(
            " · ",
            '<a href="{}" target="_blank">{}</a>',
            (
                (
                    reverse("admin:accounts_identitycheck_image", args=[document.pk]),
                    document.get_side_display(),
                )
                for document in obj.documents.order_by("-side")
            ),
        )

    def image(self, request: HttpRequest, document_id: int) -> HttpResponse:
        """Show a document to staff members who may decide identity checks. Caches must not store it."""
        if not self.may_decide(request):
            raise PermissionDenied
        document = get_object_or_404(IdentityDocument, pk=document_id)
        try:
            content = private_files.read(document.stored_as)
        except FileNotFoundError as error:
            raise Http404 from error
        log.info("user %s looked at identity document %s", request.user.pk, document_id)
        write_entry(
            by=build_staff(request),
            obj=document.identity_check,
            action="see_document",
            before={},
            after={},
        )
        return HttpResponse(
            content,
            content_type=document.content_type,
            headers={
                "Cache-Control": "private, no-store",
                "Content-Disposition": "inline",
                "X-Content-Type-Options": "nosniff",
            },
        )


@admin.register(Region)
class RegionAdmin(AuditedAdmin):
    """Regions. As soon as there is one, players must state their region before they pay in cash or play for it."""

    asks_reason = True
    list_display = ("code", "name", "cash_is_refused", "least_age")
    list_filter = ("cash_is_refused", "least_age")
    search_fields = ("code", "name")
    ordering = ("code",)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's signature
        super().save_model(request, obj, form, change)
        refresh_site_after_commit()

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        super().delete_model(request, obj)
        refresh_site_after_commit()


@admin.register(Residence)
class ResidenceAdmin(AuditedAdmin):
    """Residences. Players state theirs once. Staff add a row when a player has moved or stated a wrong region.

    Rows are never changed.
    """

    asks_reason = True
    list_display = ("user", "region", "stated_at", "by")
    list_filter = ("region",)
    list_select_related = ("user", "region", "stated_by")
    search_fields = ("user__player_name", "user__email")
    ordering = ("-pk",)
    fields = ("user", "region")
    autocomplete_fields = ("user", "region")

    @admin.display(description=_("stated by"))
    def by(self, residence: Residence) -> str:
        return str(residence.stated_by or residence.user)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Residence, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's signature
        obj.stated_by_id = int(request.user.pk or 0)
        super().save_model(request, obj, form, change)
