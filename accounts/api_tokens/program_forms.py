"""Forms for third-party programs, entered by staff or by players, and for players' webhooks."""

from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.contrib.postgres.forms import SimpleArrayField
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.api_tokens.browsers import normalize_origin
from accounts.api_tokens.oauth_identity import IDENTITY, list_offered_scopes
from accounts.models import IdentityScope, OAuthClient, Scope
from accounts.models.oauth import LOOPBACK, ORIGINS_HELP
from accounts.names import clean_program_name, refuse_reserved_name
from core.models import Webhook, WebhookEvent
from core.site.content import site
from core.values.hosts import to_ascii_host
from core.values.lines import Lines
from core.webhooks.delivery import check_players_address

# Reserved for players' names, as they would claim to be no person; a program is none.
_WORDS_OF_PROGRAMS = frozenset(
    {"bot", "bots", "robot", "बॉट", "guest", "guests", "security", "mod", "mods"}
)


class ProgramForm(forms.ModelForm):  # type: ignore[type-arg] # not subscriptable
    scopes = forms.MultipleChoiceField(
        label=_("The program may ask for"), widget=forms.CheckboxSelectMultiple
    )

    origins = SimpleArrayField(
        forms.CharField(),
        delimiter="\n",
        required=False,
        widget=Lines(attrs={"rows": 2}),
        label=_("Origins of its pages"),
        help_text=ORIGINS_HELP,
    )

    class Meta:
        model = OAuthClient
        fields = ("name", "client_type", "redirect_uris", "by_device", "scopes", "origins")
        widgets = {"redirect_uris": Lines(attrs={"rows": 3})}

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
            missing = _("Enter a redirect address, or tick “Has no browser”.")
            self.add_error("redirect_uris", missing)
        wanted = set(values.get("scopes", ()))
        if wanted & IDENTITY and IdentityScope.OPENID not in wanted:
            alone = _(
                "A program can get the name, face and e-mail address only if it also signs "
                "players in: tick that line as well."
            )
            self.add_error("scopes", alone)
        return values

    def clean_name(self) -> str:
        return clean_program_name(self.cleaned_data["name"])

    def clean_origins(self) -> list[str]:
        lines = [line.strip() for line in self.cleaned_data["origins"] if line.strip()]
        for line in lines:
            if normalize_origin(line) is None:
                raise ValidationError(
                    _("“%(address)s” is not a valid origin."), params={"address": line}
                )
        return [origin for line in lines if (origin := normalize_origin(line))]

    def clean_redirect_uris(self) -> str:
        lines = self.cleaned_data["redirect_uris"].split()
        for line in lines:
            if not _is_fit(line):
                raise ValidationError(
                    _("“%(address)s” is not a valid redirect address."),
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
        return _is_host(host)
    if parts.scheme == "http":
        return host in LOOPBACK
    # RFC 8252: an app's scheme is its maker's domain name reversed, so two apps do not share one by chance.
    return "." in parts.scheme


def _is_host(host: str | None) -> bool:
    try:
        return bool(to_ascii_host(host or ""))
    except ValueError:
        return False


class OwnProgramForm(ProgramForm):
    """The form for a player's own program.

    The program's kind cannot be changed later, because it decides whether the program has a secret.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.created is not None:
            del self.fields["client_type"]

    def clean_name(self) -> str:
        """Refuse a name that players could take for one of this site's own programs."""
        name = super().clean_name()
        refuse_reserved_name(name, site_name=site().name, but=_WORDS_OF_PROGRAMS)
        return name


class OwnWebhookForm(forms.ModelForm):  # type: ignore[type-arg] # not subscriptable
    """The form for a player's own webhook. The site makes its secret."""

    events = forms.MultipleChoiceField(
        label=_("Events"), choices=WebhookEvent, widget=forms.CheckboxSelectMultiple
    )
    url = forms.URLField(label=_("Address"), max_length=500, assume_scheme="https")

    class Meta:
        model = Webhook
        fields = ("name", "url", "events")

    def clean_name(self) -> str:
        return clean_program_name(self.cleaned_data["name"])

    def clean_url(self) -> str:
        url: str = self.cleaned_data["url"]
        try:
            check_players_address(url)
        except ValueError as error:
            raise ValidationError(
                _("Enter a public internet address that begins with https:// and has no port.")
            ) from error
        return url
