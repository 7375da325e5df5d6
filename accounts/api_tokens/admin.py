"""Third-party programs in the administration: clients that players may authorize by OAuth."""

from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext

from accounts.api_tokens.program_forms import ProgramForm
from accounts.models import (
    OAuthAccessToken,
    OAuthClient,
    OAuthGrant,
    OAuthIDToken,
    OAuthRefreshToken,
)
from accounts.sessions.ending import delete_program
from core.administration.pages import AuditedAdmin

# The toolkit's own pages offer more ways to tokens than this site has.
for _model in (OAuthClient, OAuthGrant, OAuthAccessToken, OAuthRefreshToken, OAuthIDToken):
    admin.site.unregister(_model)


@admin.register(OAuthClient)
class OAuthClientAdmin(AuditedAdmin):
    asks_reason = True
    form = ProgramForm
    list_display = ("name", "client_id", "owner", "client_type", "created")
    list_select_related = ("owner",)
    list_filter = ("client_type", ("owner", admin.EmptyFieldListFilter))
    search_fields = ("name", "client_id", "owner__player_name")
    ordering = ("name", "pk")
    fields = ("client_id", *ProgramForm.Meta.fields, "owner")
    readonly_fields = ("client_id", "owner")
    view_on_site = False

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Hide the ID of a new program, which it gets when it is saved."""
        return super().get_fields(request, obj)[0 if obj else 1 :]

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        if not change:
            secret = obj.make_secret()
            if obj.client_type == obj.CLIENT_CONFIDENTIAL:
                text = gettext("Its secret, shown only once: {}")
                messages.warning(request, format_html(text, secret))
        super().save_model(request, obj, form, change)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        delete_program(obj)

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        for client in queryset:
            delete_program(client)
