"""Table templates: the terms of the tables that they open."""

from typing import Any

from django import forms
from django.contrib import admin
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from core.administration.cells import in_file
from core.administration.pages import DraftsAdmin
from games.engine.base import InvalidRules
from tables.catalog import fit_bot_strength, title_of_game
from tables.desk.rules_field import AsksRules, RulesField, rules_title
from tables.desk.table_admin import GameFilter, describe_stake, stake_cell
from tables.models import BotStrength, TableTemplate
from tables.models.house_rules import get_changes, read_rules
from tables.seating.supply import check_stakes
from wallet.desk.pages import InUnits, get_currency
from wallet.desk.units import InCurrency


class TableTemplateForm(InCurrency, AsksRules, forms.ModelForm):  # type: ignore[type-arg] # not subscriptable
    class Meta:
        model = TableTemplate
        fields = (
            "name", "words", "preset", "currency", "point_value", "entry_fee", "max_seats", "bots_wanted",
            "bot_strength", "is_rated", "offers_arrangement", "offers_verdict",
            "allows_api_players", "one_account_per", "is_open",
        )  # fmt: skip

    preset = RulesField(label=capfirst(_("rules")))

    def clean(self) -> dict[str, Any]:
        """Require a bot strength that the game has, and rules that fit the number of players and the kind of stake."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        self.split_rules(cleaned)
        strength = cleaned.get("bot_strength", "")
        if "game" in cleaned and strength != fit_bot_strength(cleaned["game"], strength):
            wrong = self.fields["bot_strength"].error_messages["invalid_choice"]
            chosen = {"value": BotStrength(strength).label}
            self.add_error("bot_strength", forms.ValidationError(wrong, "invalid_choice", chosen))
        names = ("preset", "max_seats", "point_value")
        if all(cleaned.get(name) is not None for name in names):
            changes = get_changes(self.instance.house_rules)
            try:
                check_stakes(
                    game=cleaned["game"],
                    rules=read_rules(cleaned["game"], cleaned["preset"], changes),
                    seats=cleaned["max_seats"],
                    point_value=cleaned["point_value"],
                )
            except InvalidRules as invalid:
                self.add_error("preset", str(invalid))
        return cleaned


@admin.register(TableTemplate)
class TableTemplateAdmin(DraftsAdmin, InUnits):
    asks_reason = True
    form = TableTemplateForm
    amounts = ("point_value", "entry_fee")
    helps = {
        "point_value": _("In rupees or chips, where each point has a price; otherwise 0."),
        "entry_fee": _("In rupees or chips, where players pay into a pot; otherwise 0."),
    }
    # As many columns as fit a screen of 1,280 pixels between the menu and the filters.
    list_display = ("name", "game_title", "rules", "stake", "max_seats", "bots_wanted", "is_open")
    list_filter = (GameFilter, "currency", "is_rated", "allows_api_players", "is_open")
    list_select_related = ("house_rules",)
    search_fields = ("name",)
    fieldsets = (
        (None, {"fields": ("name", "words", "preset", "max_seats")}),
        (_("Stakes"), {"fields": ("currency", "point_value", "entry_fee")}),
        (_("Practice bots"), {"fields": ("bots_wanted", "bot_strength")}),
        (
            _("At the table"),
            {
                "fields": (
                    "is_rated",
                    "offers_arrangement",
                    "offers_verdict",
                    "allows_api_players",
                    "one_account_per",
                )
            },
        ),
        (_("Lobby"), {"fields": ("is_open",)}),
    )

    @admin.display(description=_("game"), ordering="game")
    def game_title(self, template: TableTemplate) -> str:
        return title_of_game(template.game)

    @in_file(stake_cell, currency=get_currency)
    @admin.display(description=_("Stake"))
    def stake(self, template: TableTemplate) -> str:
        return describe_stake(template)

    @admin.display(description=_("rules"), ordering="preset")
    def rules(self, template: TableTemplate) -> str:
        return rules_title(template.game, template.preset, template.house_rules)
