"""Third-party programs in the administration: clients that players may authorize by OAuth."""

from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.api_tokens.oauth_identity import IDENTITY, list_offered_scopes
from accounts.models import (
    IdentityScope,
    OAuthAccessToken,
    OAuthClient,
    OAuthGrant,
    OAuthIDToken,
    OAuthRefreshToken,
    Scope,
)
from accounts.models.oauth import LOOPBACK
from core.administration.pages import AuditedAdmin

# The toolkit's own pages offer more ways to tokens than this site has.
for _model in (OAuthClient, OAuthGrant, OAuthAccessToken, OAuthRefreshToken, OAuthIDToken):
    admin.site.unregister(_model)


class OAuthClientForm(forms.ModelForm):  # type: ignore[type-arg] # not subscriptable
    scopes = forms.MultipleChoiceField(
        label=_("It may ask for"), widget=forms.CheckboxSelectMultiple
    )

    class Meta:
        model = OAuthClient
        fields = ("name", "client_type", "redirect_uris", "by_device", "scopes")
        widgets = {"redirect_uris": forms.Textarea(attrs={"rows": 3})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        scopes = self.fields["scopes"]
        assert isinstance(scopes, forms.MultipleChoiceField)  # noqa: S101 - see above
        scopes.choices = [
            choice
            for choice in (*Scope.choices, *IdentityScope.choices)
            if choice[0] in list_offered_scopes()
        ]

    def clean(self) -> dict[str, Any] | None:
        values = super().clean() or {}
        if "redirect_uris" in values and not (values["redirect_uris"] or values["by_device"]):
            missing = _("Name an address to return to, or say that the program has no browser.")
            self.add_error("redirect_uris", missing)
        wanted = set(values.get("scopes", ()))
        if wanted & IDENTITY and IdentityScope.OPENID not in wanted:
            alone = _("Name, face and e-mail address are told only where players sign in.")
            self.add_error("scopes", alone)
        return values

    def clean_redirect_uris(self) -> str:
        lines = self.cleaned_data["redirect_uris"].split()
        for line in lines:
            if not _is_fit(line):
                raise ValidationError(
                    _("“%(address)s” is not a valid address to return to."),
                    params={"address": line},
                )
        return "\n".join(lines)


def _is_fit(address: str) -> bool:
    try:
        parts = urlsplit(address)
        host = parts.hostname
    except ValueError:
        return False
    if parts.fragment or "*" in address or parts.username is not None:
        return False
    if parts.scheme == "https":
        return bool(host)
    if parts.scheme == "http":
        return host in LOOPBACK
    # RFC 8252: an app's scheme is its maker's domain name reversed, so two apps do not share one by chance.
    return "." in parts.scheme


@admin.register(OAuthClient)
class OAuthClientAdmin(AuditedAdmin):
    asks_reason = True
    form = OAuthClientForm
    list_display = ("name", "client_id", "client_type", "created")
    list_filter = ("client_type",)
    ordering = ("name", "pk")
    fields = ("client_id", *OAuthClientForm.Meta.fields)
    readonly_fields = ("client_id",)
    view_on_site = False

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """A new program has no number before it is stored."""
        return super().get_fields(request, obj)[0 if obj else 1 :]

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        if not change:
            secret = obj.make_secret()
            if obj.client_type == obj.CLIENT_CONFIDENTIAL:
                text = gettext("Its secret, shown this once: {}")
                messages.warning(request, format_html(text, secret))
        super().save_model(request, obj, form, change)
