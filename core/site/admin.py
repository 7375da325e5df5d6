"""Administration pages for the site's identity, features and announcements."""

import hashlib
import zlib
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.administration.audit import build_staff, record_act
from core.administration.lists import DayRange
from core.administration.pages import AuditedAdmin, ReasonedActionForm, read_reason
from core.images import NotADocument, read_image, strip_metadata
from core.models.site import COLOUR, FeatureSwitch, SiteIdentity, SiteNotice, SiteNumbers
from core.site.colours import reads_on_dark, reads_on_light
from core.site.content import get_default_site, refresh_site_after_commit
from core.site.features import FEATURES
from core.site.notices import clear_cached_notices
from core.site.numbers import GROUPS, NUMBERS

LOGO_SIDE = 512
LARGEST_LOGO = 200 * 1024


class SiteIdentityForm(forms.ModelForm):  # type: ignore[type-arg] # not generic at run time
    logo_file = forms.FileField(
        label=_("New logo"),
        required=False,
        help_text=_(
            "PNG, 512 by 512 pixels, up to 200 KB. It is shown in the header, as the "
            "site's icon, and on home screens."
        ),
        widget=forms.FileInput(attrs={"accept": "image/png"}),
    )
    without_logo = forms.BooleanField(label=_("Remove the logo"), required=False)

    class Meta:
        model = SiteIdentity
        fields = (
            "name",
            "short_name",
            "company",
            "postal_address",
            "support_email",
            "brand_light",
            "brand_dark",
            "least_age",
        )

    def clean_brand_light(self) -> str:
        colour = self._colour("brand_light")
        if colour and not reads_on_light(colour):
            raise forms.ValidationError(
                _(
                    "This colour is too light: links in this colour, and white letters "
                    "on it, would be hard to read."
                )
            )
        return colour

    def clean_brand_dark(self) -> str:
        colour = self._colour("brand_dark")
        if colour and not reads_on_dark(colour):
            raise forms.ValidationError(
                _(
                    "This colour is too dark: links in this colour, and dark letters on "
                    "it, would be hard to read."
                )
            )
        return colour

    def _colour(self, field: str) -> str:
        """Validate a colour now, because the form needs a valid one before the model's own check runs."""
        colour: str = self.cleaned_data[field]
        if colour:
            COLOUR(colour)
        return colour

    def clean_logo_file(self) -> bytes:
        file = self.cleaned_data["logo_file"]
        if not file:
            return b""
        if file.size > LARGEST_LOGO:
            raise forms.ValidationError(_("The logo is larger than 200 KB."))
        content: bytes = file.read()
        try:
            facts = read_image(content)
            tidy = strip_metadata(content)
        except (NotADocument, zlib.error) as error:
            raise forms.ValidationError(_("This file is not a PNG.")) from error
        sides = (facts.content_type, facts.width, facts.height)
        if sides != ("image/png", LOGO_SIDE, LOGO_SIDE):
            raise forms.ValidationError(_("The logo must be a PNG of 512 by 512 pixels."))
        return tidy

    def save(self, commit: bool = True) -> Any:  # noqa: FBT001, FBT002 - Django's signature
        content = self.cleaned_data["logo_file"]
        if content:
            self.instance.logo = content
            self.instance.logo_mark = hashlib.sha256(content).hexdigest()[:16]
        elif self.cleaned_data["without_logo"]:
            self.instance.logo, self.instance.logo_mark = None, ""
        return super().save(commit)


class OneRowAdmin(AuditedAdmin):
    """A page for the only row of a model. The list redirects to it, or to the form that creates it.

    A second row cannot be added.
    """

    def get_model_perms(self, request: HttpRequest) -> dict[str, bool]:
        return {**super().get_model_perms(request), "add": False}

    def changelist_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if self._find_row() is None and not self.has_add_permission(request):
            return super().changelist_view(request, *args, **kwargs)
        return self.add_view(request)

    def add_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if pk := self._find_row():
            return redirect(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", pk)
        return super().add_view(request, *args, **kwargs)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        context["show_save_and_add_another"] = False
        form: HttpResponse = super().render_change_form(request, context, *args, **kwargs)
        return form

    def _find_row(self) -> int | None:
        found: int | None = self.model.objects.values_list("pk", flat=True).first()
        return found


@admin.register(SiteIdentity)
class SiteIdentityAdmin(OneRowAdmin):
    """The page for name, logo, colours and addresses: one row, whose changes reach every page within a second."""

    asks_reason = True
    form = SiteIdentityForm
    list_display = ("name", "company", "support_email", "brand_light", "brand_dark", "least_age")
    fieldsets = (
        (
            None,
            {
                "fields": ("name", "short_name"),
                "description": _(
                    "The site's languages are in the setting LANGUAGES; after changing "
                    "it, restart the site."
                ),
            },
        ),
        (_("Looks"), {"fields": ("logo_file", "without_logo", "brand_light", "brand_dark")}),
        (_("Addresses"), {"fields": ("company", "postal_address", "support_email")}),
        (_("Who may register"), {"fields": ("least_age",)}),
    )

    def get_changeform_initial_data(self, request: HttpRequest) -> Any:
        usual = get_default_site()
        return {
            "name": usual.name,
            "short_name": usual.short_name,
            "support_email": usual.support_email,
            **super().get_changeform_initial_data(request),
        }

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's signature
        super().save_model(request, obj, form, change)
        refresh_site_after_commit()

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        super().delete_model(request, obj)
        refresh_site_after_commit()


@admin.register(FeatureSwitch)
class FeatureSwitchAdmin(AuditedAdmin):
    """Switches of features. Staff can set several at once in the list, with one reason.

    Running matches and tournaments continue.
    """

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
        reason = read_reason(request)
        if not reason:
            return
        for switch in queryset.exclude(is_on=is_on):
            action = "switch on" if is_on else "switch off"
            with record_act(by=build_staff(request), obj=switch, action=action, reason=reason):
                FeatureSwitch.objects.filter(pk=switch.pk).update(is_on=is_on)
                refresh_site_after_commit()
            self.record_history(request, switch, action)
            said = gettext("%(row)s: switched on.") if is_on else gettext("%(row)s: switched off.")
            messages.success(request, said % {"row": self.title(switch)})


@admin.register(SiteNotice)
class SiteNoticeAdmin(AuditedAdmin):
    """Announcements on every page. An announcement may stop play for maintenance until the announcement ends."""

    asks_reason = True
    list_display = ("text", "is_urgent", "shown_from", "shown_until", "play_stops_at")
    list_filter = (
        ("shown_from", DayRange),
        ("play_stops_at", admin.EmptyFieldListFilter),
    )
    ordering = ("-pk",)
    fieldsets = (
        (None, {"fields": ("text", "words", "is_urgent")}),
        (_("Shown"), {"fields": ("shown_from", "shown_until")}),
        (_("Maintenance"), {"fields": ("play_stops_at",)}),
    )

    def get_changeform_initial_data(self, request: HttpRequest) -> Any:
        return {"shown_from": timezone.now(), **super().get_changeform_initial_data(request)}

    def save_model(self, request: HttpRequest, obj: SiteNotice, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's signature
        super().save_model(request, obj, form, change)
        clear_cached_notices()

    def delete_model(self, request: HttpRequest, obj: SiteNotice) -> None:
        super().delete_model(request, obj)
        clear_cached_notices()


class SiteNumbersForm(forms.ModelForm):  # type: ignore[type-arg] # likewise
    """A form with a field for each number. An empty field means the default from the settings."""

    class Meta:
        model = SiteNumbers
        fields = ()

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.initial = {**self.initial, **self.instance.values}

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        chosen = {name: cleaned[name] for name in NUMBERS if cleaned.get(name) is not None}
        least, most = (
            chosen.get(name, getattr(settings, name)) for name in ("DEPOSIT_LEAST", "DEPOSIT_MOST")
        )
        if least > most:
            self.add_error("DEPOSIT_MOST", _("The largest deposit is below the smallest."))
        self.instance.values = chosen
        return cleaned


def number_fields() -> dict[str, forms.IntegerField]:
    """Return a form field for each of the operator's numbers, by name. An empty field shows the default."""
    fields = {}
    for name, one in NUMBERS.items():
        usual = getattr(settings, name)
        fields[name] = forms.IntegerField(
            label=one.label,
            help_text=format_lazy(_("{help} If empty: {usual}."), help=one.help, usual=usual),
            min_value=one.least,
            max_value=one.most,
            required=False,
            widget=forms.NumberInput({"placeholder": usual}),
        )
    return fields


@admin.register(SiteNumbers)
class SiteNumbersAdmin(OneRowAdmin):
    """The page for the operator's numbers: one row, whose changes take effect everywhere within a second."""

    asks_reason = True

    def get_form(
        self,
        request: HttpRequest,
        obj: Any = None,
        change: bool = False,  # noqa: FBT001, FBT002 - Django's signature
        **kwargs: Any,
    ) -> Any:
        metaclass: Any = type(SiteNumbersForm)
        form = metaclass("FormOfNumbers", (SiteNumbersForm,), number_fields())
        return super().get_form(request, obj, change, **{**kwargs, "form": form})

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        sets = [
            (title, {"fields": tuple(n for n, one in NUMBERS.items() if one.group == group)})
            for group, title in GROUPS.items()
        ]
        return self.with_reason(sets, request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's signature
        super().save_model(request, obj, form, change)
        refresh_site_after_commit()
