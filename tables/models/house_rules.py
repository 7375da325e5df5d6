"""House rules, which are a preset with changed fields, and the list of fields that hosts may change."""

from collections.abc import Collection, Mapping
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.database.translated_texts import InLanguages
from games.engine.base import JSON, InvalidRules
from games.registry import get_game
from tables.models.stakes import GAME_LENGTH

PRESET_LENGTH = 40


class HouseRules(InLanguages):
    """A preset with changed fields. `changes` maps their names to the values that differ, as the game reads them.

    Open tables and announced tournaments keep a copy of the rules, so a change affects only later ones.
    """

    name = models.CharField(
        _("name"), max_length=60, help_text=_("Players see it in the title of a table.")
    )
    game = models.CharField(_("game"), max_length=GAME_LENGTH)
    preset = models.CharField(_("based on"), max_length=PRESET_LENGTH)
    changes = models.JSONField(_("own rules"), default=dict, blank=True)

    class Meta:
        verbose_name = _("house rules")
        verbose_name_plural = _("house rules")
        ordering = ("game", "name")

    def __str__(self) -> str:
        return self.name

    @property
    def rule_set(self) -> Any:
        """Return the rule set. Raises InvalidRules if the game has dropped the preset or a field."""
        return read_rules(self.game, self.preset, get_changes(self))

    @property
    def is_played(self) -> bool:
        """Return whether the game still knows the preset and the fields."""
        try:
            return self.rule_set is not None
        except InvalidRules:
            return False

    @property
    def format(self) -> str:
        return get_game(self.game).money.get_format_code(self.rule_set)


def get_changes(house_rules: HouseRules | None) -> Mapping[str, JSON]:
    """Return the fields that house rules change, with their values. If `house_rules` is None, there are none.

    A stored number that is outside the current bounds is replaced by the nearest one within them.
    """
    if house_rules is None:
        return {}
    return get_game(house_rules.game).rules.bring_within_bounds(house_rules.changes)


def read_rules(game: str, preset: str, changes: Mapping[str, JSON]) -> Any:
    """Return the rule set of a preset with changed fields. Raises InvalidRules."""
    book = get_game(game).rules
    usual = book.preset(preset)
    return book.change(usual, **changes) if changes else usual


class HostBounds(models.Model):
    """The rules of a game that hosts of private tables may change. Without a row they may change every rule."""

    game = models.CharField(_("game"), max_length=GAME_LENGTH, unique=True)
    names = ArrayField(
        models.CharField(max_length=40),
        verbose_name=_("rules that hosts may change"),
        default=list,
        blank=True,
        help_text=_("All other rules stay as the chosen kind of table sets them."),
    )

    class Meta:
        verbose_name = _("rules for hosts")
        verbose_name_plural = _("rules for hosts")
        ordering = ("game",)

    def __str__(self) -> str:
        return self.game


def fields_for_hosts(game: str) -> Collection[str] | None:
    """Return the names of the rules that hosts may change, or None if they may change every rule."""
    return HostBounds.objects.filter(game=game).values_list("names", flat=True).first()
