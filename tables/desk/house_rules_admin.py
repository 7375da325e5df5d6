"""House rules: a preset of a game with changed fields, and a preview of the players' text."""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Count, QuerySet
from django.forms.widgets import Script
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.administration.pages import AuditedAdmin
from games.engine.base import InvalidRules
from games.registry import get_game
from tables.catalog import list_game_choices, title_of_game, translate
from tables.desk.rules_field import AsksRules, RulesField, format_rules, rules_title
from tables.desk.table_admin import GameFilter
from tables.house_rules.facts import GROUPS, own_facts
from tables.house_rules.forms import (
    RulesForm,
    build_initial,
    build_rule_fields,
    group_fields,
    read_changes,
)
from tables.models import HostBounds, HouseRules
from tables.models.house_rules import read_rules


class NewHouseRulesForm(AsksRules, forms.ModelForm):  # type: ignore[type-arg] # not subscriptable
    """A form for the name and the preset. The next page has the fields of its rules."""

    class Meta:
        model = HouseRules
        fields = ("name", "words", "preset")

    preset = RulesField(label=capfirst(_("based on")), with_house_rules=False)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        self.split_rules(cleaned)
        return cleaned


class HouseRulesForm(forms.ModelForm):  # type: ignore[type-arg] # likewise
    """The form of house rules. `HouseRulesAdmin.get_form` adds a field for each rule."""

    class Meta:
        model = HouseRules
        fields = ("name", "words")

    class Media:
        js = (Script("js/desk/live_preview.js", type="module"),)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.initial = {**self.initial, **build_initial(self.instance.changes)}

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        rules = self.instance
        if not self.errors:
            try:
                rules.changes = read_changes(rules.game, rules.preset, cleaned)
            except InvalidRules as invalid:
                self.add_error(None, str(invalid))
        return cleaned


@admin.register(HouseRules)
class HouseRulesAdmin(AuditedAdmin):
    asks_reason = True
    change_form_template = "admin/tables/houserules/change_form.html"
    list_display = ("name", "game_title", "base", "own_rules", "used")
    list_filter = (GameFilter,)
    search_fields = ("name",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[HouseRules]:
        rows: QuerySet[HouseRules] = super().get_queryset(request)
        return rows.annotate(templates=Count("table_templates"))

    def get_form(
        self,
        request: HttpRequest,
        obj: Any = None,
        change: bool = False,  # noqa: FBT001, FBT002 - Django's signature
        **kwargs: Any,
    ) -> Any:
        form: Any = NewHouseRulesForm
        if obj is not None:
            metaclass: Any = type(HouseRulesForm)
            form = metaclass(
                "FormOfRules", (HouseRulesForm,), build_rule_fields(obj.game, obj.preset)
            )
        return super().get_form(request, obj, change, **{**kwargs, "form": form})

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        if obj is None:
            sets: list[Any] = [(None, {"fields": ("name", "words", "preset")})]
        else:
            groups = group_fields(obj.game, obj.preset)
            head = (None, {"fields": ("name", "words", "base")})
            sets = [head, *((title, {"fields": tuple(names)}) for title, names in groups)]
        return self.with_reason(sets, request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return () if obj is None else ("base",)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Make house rules read-only if the game has dropped their preset or one of their fields.

        Staff must replace them.
        """
        allowed: bool = super().has_change_permission(request, obj)
        return allowed and (obj is None or obj.is_played)

    def response_add(
        self, request: HttpRequest, obj: Any, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Go on to the fields of the rules, whichever button was pressed."""
        response = super().response_add(request, obj, post_url_continue)
        if "_addanother" in request.POST:
            return response
        return redirect("admin:tables_houserules_change", obj.pk)

    def get_extra_context(self, request: HttpRequest, obj: HouseRules) -> dict[str, Any]:
        return {
            **super().get_extra_context(request, obj),
            "preview_url": reverse("admin:tables_houserules_preview", args=[obj.pk]),
            "facts": own_facts(obj.game, obj.rule_set) if obj.is_played else [],
            "templates": obj.table_templates.order_by("name"),
            "code": format_rules(obj.game, obj.preset, obj) if obj.is_played else "",
        }

    def get_urls(self) -> list[URLPattern]:
        page = self.admin_site.admin_view(self.preview)
        name = "tables_houserules_preview"
        return [path("<int:object_id>/preview/", page, name=name), *super().get_urls()]

    def preview(self, request: HttpRequest, object_id: int) -> HttpResponse:
        """Show the text that players would read if the form were saved as it is."""
        rules = self.get_object(request, str(object_id))
        if rules is None or request.method != "POST":
            raise Http404
        if not self.has_change_permission(request, rules):
            raise PermissionDenied
        form = RulesForm(request.POST, game=rules.game, preset=rules.preset)
        context: dict[str, Any] = {"facts": (), "refused": ""}
        if form.is_valid():
            rule_set = read_rules(rules.game, rules.preset, form.changes)
            context["facts"] = own_facts(rules.game, rule_set)
        elif whole := form.non_field_errors():
            context["refused"] = whole[0]
        else:
            wrong = ", ".join(str(form.fields[name].label) for name in form.errors)
            context["refused"] = gettext("Some fields need correction: %(fields)s.") % {
                "fields": wrong
            }
        return render(request, "admin/tables/houserules/_preview.html", context)

    @admin.display(description=_("game"), ordering="game")
    def game_title(self, rules: HouseRules) -> str:
        return title_of_game(rules.game)

    @admin.display(description=_("based on"), ordering="preset")
    def base(self, rules: HouseRules) -> str:
        return rules_title(rules.game, rules.preset)

    @admin.display(description=_("own rules"))
    def own_rules(self, rules: HouseRules) -> str:
        """Return the differences from the default rules, as players read them."""
        if not rules.is_played:
            return gettext(
                "The game no longer has these rules: no table can be opened with them. Make new house rules."
            )
        return " · ".join(fact.in_words for fact in own_facts(rules.game, rules.rule_set))

    @admin.display(description=_("table templates"))
    def used(self, rules: Any) -> int:
        return int(rules.templates)


def _list_games_without_bounds() -> list[tuple[str, str]]:
    bound = set(HostBounds.objects.values_list("game", flat=True))
    return [(code, title) for code, title in list_game_choices() if code not in bound]


class NewHostBoundsForm(forms.ModelForm):  # type: ignore[type-arg] # not subscriptable
    class Meta:
        model = HostBounds
        fields = ("game",)

    game = forms.ChoiceField(label=capfirst(_("game")), choices=_list_games_without_bounds)


class HostBoundsForm(forms.ModelForm):  # type: ignore[type-arg] # likewise
    """The rules that hosts may change, grouped as on the game's pages."""

    class Meta:
        model = HostBounds
        fields = ("names",)

    names = forms.MultipleChoiceField(
        label=capfirst(_("rules that hosts may change")),
        help_text=_("All other rules stay as the chosen kind of table sets them."),
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        facts = get_game(self.instance.game).words.rule_facts
        chosen = self.fields.get("names")  # none where it is only looked at
        if isinstance(chosen, forms.MultipleChoiceField):
            chosen.choices = [
                (title, [(f.name, translate(f.label)) for f in facts if f.group == group])
                for group, title in GROUPS.items()
                if any(f.group == group for f in facts)
            ]


@admin.register(HostBounds)
class HostBoundsAdmin(AuditedAdmin):
    asks_reason = True
    list_display = ("game_title", "allowed")

    def get_form(
        self,
        request: HttpRequest,
        obj: Any = None,
        change: bool = False,  # noqa: FBT001, FBT002 - Django's signature
        **kwargs: Any,
    ) -> Any:
        form = NewHostBoundsForm if obj is None else HostBoundsForm
        return super().get_form(request, obj, change, **{**kwargs, "form": form})

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        names = ("game",) if obj is None else ("game_title", "names")
        return self.with_reason([(None, {"fields": names})], request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return () if obj is None else ("game_title",)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's signature
        """Allow every rule in a new row; staff remove some of them on the next page."""
        if not change:
            obj.names = [fact.name for fact in get_game(obj.game).words.rule_facts]
        super().save_model(request, obj, form, change)

    def response_add(
        self, request: HttpRequest, obj: Any, post_url_continue: str | None = None
    ) -> HttpResponse:
        super().response_add(request, obj, post_url_continue)
        return redirect("admin:tables_hostbounds_change", obj.pk)

    @admin.display(description=_("game"), ordering="game")
    def game_title(self, bounds: HostBounds) -> str:
        return title_of_game(bounds.game)

    @admin.display(description=_("rules that hosts may change"))
    def allowed(self, bounds: HostBounds) -> str:
        facts = get_game(bounds.game).words.rule_facts
        count = sum(fact.name in bounds.names for fact in facts)
        return gettext("%(count)s of %(all)s") % {"count": count, "all": len(facts)}
