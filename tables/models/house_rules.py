"""Rule sets of the house: a preset of a game with fields of the operator's own on top."""

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.database.translated_texts import InLanguages
from games.registry import get_game
from tables.models.stakes import GAME_LENGTH

PRESET_LENGTH = 40


class HouseRules(InLanguages):
    """`changes` holds the fields that differ from `preset`, by name, as the game reads them.

    What is opened or announced keeps a copy: a change counts for new tables and tournaments alone.
    """

    name = models.CharField(
        _("name"), max_length=60, help_text=_("Players read it in the title of a table.")
    )
    game = models.CharField(_("game"), max_length=GAME_LENGTH)
    preset = models.CharField(_("begins with"), max_length=PRESET_LENGTH)
    changes = models.JSONField(_("own rules"), default=dict, blank=True)

    class Meta:
        verbose_name = _("house rules")
        verbose_name_plural = _("house rules")
        ordering = ("game", "name")

    def __str__(self) -> str:
        return self.name

    @property
    def rule_set(self) -> Any:
        """Return the rule set. Raises InvalidRules where the game has dropped the preset or a field."""
        return read_rules(self.game, self.preset, self.changes)

    @property
    def format(self) -> str:
        return get_game(self.game).money.format_of(self.rule_set)


def read_rules(game: str, preset: str, changes: Any) -> Any:
    """Return the rule set of a preset with changed fields. Raises InvalidRules."""
    book = get_game(game).rules
    usual = book.preset(preset)
    return book.changed(usual, **changes) if changes else usual
