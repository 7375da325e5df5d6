from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from core.administration.pages import AuditedAdmin
from core.emails.kinds import (
    KINDS,
    MailKind,
    WrongPlaceholder,
    find_placeholders,
    link_stands_alone,
)
from core.models.emails import MailText


class MailTextForm(forms.ModelForm):  # type: ignore[type-arg] # not generic at run time
    kind = forms.ChoiceField(label=_("Mail"))
    # Whether the reader of the form may write mails with secret links.
    writes_secret_links = False

    class Meta:
        model = MailText
        fields = ("kind", "language", "subject", "text")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "text" not in self.fields:  # for staff who may only look
            return
        kind_field: Any = self.fields["kind"]
        kind_field.choices = [
            (code, kind.title)
            for code, kind in _sort_kinds()
            if self.writes_secret_links or not kind.has_secret_link
        ]
        kind = KINDS.get(str(self.instance.kind or self.initial.get("kind", "")))
        if kind is not None:
            told = [f"{{{name}}}: {meaning}" for name, meaning in kind.all_placeholders.items()]
            self.fields["text"].help_text = _("Placeholders: %(told)s.") % {"told": "; ".join(told)}

    def clean_subject(self) -> str:
        subject = self._check_placeholders("subject", frozenset())
        if self._has_secret_link() and "{link}" in subject:
            raise forms.ValidationError(_("A secret link does not belong in the subject."))
        return subject

    def clean_text(self) -> str:
        kind = KINDS.get(self.cleaned_data.get("kind", ""))
        text = self._check_placeholders("text", kind.needed if kind else frozenset())
        if self._has_secret_link() and not link_stands_alone(text):
            raise forms.ValidationError(
                _(
                    "Write {link} exactly once, on a line of its own: anyone with the "
                    "link can take over the account."
                )
            )
        return text

    def _has_secret_link(self) -> bool:
        kind = KINDS.get(self.cleaned_data.get("kind", ""))
        return kind is not None and kind.has_secret_link

    def _check_placeholders(self, field: str, needed: frozenset[str]) -> str:
        """Refuse a text with unknown placeholders, or without those that the e-mail needs."""
        text: str = self.cleaned_data[field]
        kind = KINDS.get(self.cleaned_data.get("kind", ""))
        if kind is None:
            return text  # the choice itself is refused
        try:
            used = find_placeholders(text)
        except WrongPlaceholder as error:
            raise forms.ValidationError(
                _("This is not a placeholder: %(wrong)s. For a literal brace, write {{ or }}.")
                % {"wrong": error}
            ) from error
        if unknown := used - kind.all_placeholders.keys():
            raise forms.ValidationError(
                _("This e-mail has no placeholder %(unknown)s. It has %(known)s.")
                % {
                    "unknown": _list_placeholders(unknown),
                    "known": _list_placeholders(kind.all_placeholders),
                }
            )
        if missing := needed - used:
            raise forms.ValidationError(
                _("The text needs %(missing)s.") % {"missing": _list_placeholders(missing)}
            )
        return text


@admin.register(MailText)
class MailTextAdmin(AuditedAdmin):
    """The operator's own texts for e-mails. Deleting one restores the default."""

    asks_reason = True
    form = MailTextForm
    change_list_template = "admin/core/mailtext/mails.html"
    list_display = ("title", "language", "subject")
    list_filter = ("language",)
    ordering = ("kind", "language")

    def get_form(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        form = super().get_form(request, *args, **kwargs)
        form.writes_secret_links = _writes_secret_links(request)
        return form

    def has_change_permission(self, request: HttpRequest, obj: MailText | None = None) -> bool:
        return super().has_change_permission(request, obj) and _may_write(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: MailText | None = None) -> bool:
        return super().has_delete_permission(request, obj) and _may_write(request, obj)

    @admin.display(description=_("mail"), ordering="kind")
    def title(self, own: MailText) -> str:
        kind = KINDS.get(own.kind)
        return own.kind if kind is None else str(kind.title)

    def get_changeform_initial_data(self, request: HttpRequest) -> Any:
        """Begin the form with the default text of `?kind=…&language=…`."""
        initial = super().get_changeform_initial_data(request)
        kind, language = KINDS.get(str(initial.get("kind"))), initial.get("language")
        if kind is None or language not in dict(settings.LANGUAGES):
            return initial
        with override(str(language)):
            subject, text = kind.with_placeholders()
        return {"subject": subject, "text": text, **initial}

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        own = {(row.kind, row.language): row for row in MailText.objects.all()}
        mails = [
            (
                kind,
                [(code, name, own.get((kind.code, code))) for code, name in settings.LANGUAGES],
                _writes_secret_links(request) or not kind.has_secret_link,
            )
            for _code, kind in _sort_kinds()
        ]
        return super().changelist_view(request, {**(extra_context or {}), "mails": mails})


def _writes_secret_links(request: HttpRequest) -> bool:
    """Return whether the staff member is a superuser, and so may edit e-mails with a secret link.

    The text around a secret link decides where the link leads.
    """
    return request.user.has_perm("core.write_secret_links")


def _may_write(request: HttpRequest, own: MailText | None) -> bool:
    kind = None if own is None else KINDS.get(own.kind)
    return kind is None or not kind.has_secret_link or _writes_secret_links(request)


def _sort_kinds() -> list[tuple[str, MailKind]]:
    return sorted(KINDS.items(), key=lambda item: str(item[1].title))


def _list_placeholders(names: Any) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(names))
