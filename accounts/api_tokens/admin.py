"""Third-party programs in the administration: clients that players may authorize by OAuth."""

from typing import Any
from urllib.parse import urlsplit

from allauth.idp.oidc.models import Client, Token
from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.api_tokens.oauth_identity import IDENTITY, list_offered_scopes
from accounts.models import IdentityScope, OAuthClient, Scope
from core.administration.pages import AuditedAdmin

_LOOPBACK = {"127.0.0.1", "::1"}

# allauth's own admin pages would open more sign-in flows than this site supports, and show staff the
# tokens.
for _model in (Client, Token):
    admin.site.unregister(_model)


class OAuthClientForm(forms.ModelForm):  # type: ignore[type-arg] # not subscriptable
    type = forms.ChoiceField(
        label=_("Kind"),
        choices=[
            (Client.Type.PUBLIC, _("in browsers or on devices: keeps no secret, must use PKCE")),
            (Client.Type.CONFIDENTIAL, _("on a server: has a secret")),
        ],
    )
    redirect_uris = forms.CharField(
        label=_("Addresses to return to"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_(
            "One in each line: https://…, http://127.0.0.1/… for programs on a player's own "
            "machine, or an app's own scheme, as com.example.app:/back."
        ),
    )
    by_device = forms.BooleanField(
        label=_("Has no browser"),
        required=False,
        help_text=_(
            "For televisions, consoles and terminals: the program shows a code, and its player "
            "types it in on another device."
        ),
    )
    scopes = forms.MultipleChoiceField(
        label=_("It may ask for"), widget=forms.CheckboxSelectMultiple
    )

    class Meta:
        model = OAuthClient
        fields = ("name", "type", "redirect_uris", "by_device", "scopes")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.created_at and not self.instance._state.adding:  # noqa: SLF001 - Django's word
            self.initial["scopes"] = self.instance.get_scopes()
            self.initial["by_device"] = (
                Client.GrantType.DEVICE_CODE in self.instance.get_grant_types()
            )
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
        wanted = set(values.get("scopes", "").split())
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

    def clean_scopes(self) -> str:
        return "\n".join(self.cleaned_data["scopes"])


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
        return host in _LOOPBACK
    # RFC 8252: an app's scheme is its maker's domain name reversed, so two apps do not share one by chance.
    return "." in parts.scheme


@admin.register(OAuthClient)
class OAuthClientAdmin(AuditedAdmin):
    asks_reason = True
    form = OAuthClientForm
    list_display = ("name", "id", "type", "created_at")
    list_filter = ("type",)
    ordering = ("name", "pk")
    fields = ("name", "id", "type", "redirect_uris", "by_device", "scopes")
    readonly_fields = ("id",)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        grant_types = [Client.GrantType.REFRESH_TOKEN]
        if form.cleaned_data["redirect_uris"]:
            grant_types.append(Client.GrantType.AUTHORIZATION_CODE)
        if form.cleaned_data["by_device"]:
            grant_types.append(Client.GrantType.DEVICE_CODE)
        obj.set_grant_types(grant_types)
        if not change:
            secret = obj.make_secret()
            if obj.type == Client.Type.CONFIDENTIAL:
                text = gettext("Its secret, shown this once: {}")
                messages.warning(request, format_html(text, secret))
        super().save_model(request, obj, form, change)
