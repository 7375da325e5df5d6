from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Count
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from accounts.legal_pages.services import list_versions, publish, read_sample, render_html
from core.administration.pages import DecidingAdmin, Decision
from core.database.translated_texts import list_other_languages
from core.models.site import PageKind, PageVersion

_WRITTEN = ("kind", "text", "words", "asks_again")


class PageVersionForm(forms.ModelForm):  # type: ignore[type-arg] # not generic at run time
    class Meta:
        model = PageVersion
        fields = _WRITTEN

    def clean_kind(self) -> str:
        """Refuse a second draft of a page.

        Django cannot check the database's constraint, because the form lacks the constraint's other field.
        """
        kind: str = self.cleaned_data["kind"]
        drafts = PageVersion.objects.filter(kind=kind, published_at=None)
        if drafts.exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError(
                _("There is already a draft of this page; change that one.")
            )
        return kind


@admin.register(PageVersion)
class PageVersionAdmin(DecidingAdmin):
    """Versions of legal pages. Staff edit a draft and publish it.

    A published version never changes; a new draft begins with its text.
    """

    form = PageVersionForm
    decision_permission = "core.publish_pageversion"
    decision_label = _(
        "Reason: kept in the audit log. What you publish is shown to players at once."
    )
    list_display = ("kind", "number", "published_at", "published_by", "asks_again", "accepted_by")
    list_filter = ("kind", ("published_at", admin.EmptyFieldListFilter))
    list_select_related = ("published_by",)
    ordering = ("kind", "-number")
    readonly_fields = ("preview", "previews", "number", "published_at", "published_by")
    fieldsets = (
        (None, {"fields": _WRITTEN}),
        (_("As players see it"), {"fields": ("preview", "previews")}),
        (_("Published"), {"fields": ("number", "published_at", "published_by")}),
    )

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).annotate(accepted=Count("acceptances"))

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        shown = self.fieldsets if obj is not None else self.fieldsets[:1]
        return self.with_reason(shown, request, obj)

    def get_changeform_initial_data(self, request: HttpRequest) -> Any:
        """Begin a draft of the page in the query (`?kind=terms`) with the page's current text.

        A page without a published version begins with the sample text. Its draft does not ask players to accept the
        page again.
        """
        initial = super().get_changeform_initial_data(request)
        kind = str(initial.get("kind", PageKind.TERMS.value))
        newest = list_versions(kind).first()
        if newest is None:
            return {"kind": kind, "text": read_sample(kind), "asks_again": False, **initial}
        if "kind" not in initial:
            return initial
        return {"text": newest.text, "words": newest.words, **initial}

    @admin.display(description=_("accepted by"))
    def accepted_by(self, version: Any) -> int:
        return int(version.accepted)

    @admin.display(description=_("text"))
    def preview(self, version: PageVersion) -> SafeString:
        return render_html(version.text)

    @admin.display(description=_("in other languages"))
    def previews(self, version: PageVersion) -> str:
        texts = [
            (code, name, render_html(said))
            for code, name in list_other_languages()
            if (said := version.said("text", code)) != version.text
        ]
        return format_html_join("", '<h2 lang="{}">{}</h2>{}', texts) if texts else "-"

    def decisions(self, obj: PageVersion) -> Sequence[Decision]:
        if obj.published_at:
            return []
        done = _("Published: players read this version from now on.")
        return [Decision("publish", _("Publish this version"), done)]

    def decide(self, request: HttpRequest, obj: Any, code: str, reason: str) -> None:
        publish(version_id=obj.pk, staff_id=int(request.user.pk or 0))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        is_draft = obj is None or obj.published_at is None
        return is_draft and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        is_draft = obj is not None and obj.published_at is None
        return is_draft and super().has_delete_permission(request, obj)
