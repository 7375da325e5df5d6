"""The fields that a template shares with its tables: stakes and admission."""

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.database.translated_texts import InLanguages
from wallet.money import Currency

GAME_LENGTH = 20
FORMAT_LENGTH = 10


class BotStrength(models.TextChoices):
    EASY = "easy", _("Easy")
    MEDIUM = "medium", _("Medium")
    HARD = "hard", _("Hard")
    EXPERT = "expert", _("Expert")


class OneAccountPer(models.TextChoices):
    ANYTHING = "", _("No: everybody may sit together")
    DEVICE = "device", _("One account per browser")
    ADDRESS = "address", _("One account per browser and per internet address")


class Stakes(InLanguages):
    """The stakes and admission of a table or a template. Amounts are in the smallest unit of `currency`.

    `game` is a code of games/registry.py. A format with a stake per point has a point value, all others have an entry
    fee.
    """

    game = models.CharField(_("game"), max_length=GAME_LENGTH)
    name = models.CharField(_("name"), max_length=60)
    max_seats = models.PositiveSmallIntegerField(_("seats"), default=6)
    currency = models.CharField(
        _("currency"), max_length=5, choices=[(c, c) for c in Currency], default=Currency.CHIPS
    )
    point_value = models.BigIntegerField(
        _("point value"), default=0, help_text=_("For games played for points; otherwise 0.")
    )
    entry_fee = models.BigIntegerField(
        _("entry fee"), default=0, help_text=_("For games played for a pot; otherwise 0.")
    )
    bots_wanted = models.PositiveSmallIntegerField(
        _("practice bots"),
        default=0,
        help_text=_("Bots that join a waiting player. Only for chips."),
    )
    bot_strength = models.CharField(
        _("strength of the bots"), max_length=10, choices=BotStrength, default=BotStrength.MEDIUM
    )
    is_rated = models.BooleanField(
        _("rated"),
        default=False,
        help_text=_("Matches change the players' ratings. Not possible with practice bots."),
    )
    offers_arrangement = models.BooleanField(
        _("offers the best arrangement"),
        default=False,
        help_text=_("One press of a button arranges the hand. Practice tables always offer it."),
    )
    offers_verdict = models.BooleanField(
        _("offers the verdict before declaring"),
        default=False,
        help_text=_(
            "Whether the groups would be a valid declaration. Practice tables always offer it."
        ),
    )
    allows_api_players = models.BooleanField(
        _("allows API players"),
        default=False,
        help_text=_("API players may sit here: players' own programs. Only for chips."),
    )
    one_account_per = models.CharField(
        _("accounts from one place"),
        max_length=10,
        choices=OneAccountPer,
        default=OneAccountPer.DEVICE,
        db_default=OneAccountPer.DEVICE,
        blank=True,
        help_text=_(
            "Which accounts may not sit together. A household, an office or a carrier's "
            "mobile phones may share an address. Cash tables with three or more seats "
            "always apply the strictest choice."
        ),
    )

    class Meta:
        abstract = True

    @staticmethod
    def names() -> tuple[str, ...]:
        """Return the names of all fields of `Stakes`."""
        return tuple(field.name for field in Stakes._meta.local_fields)

    def stakes(self) -> dict[str, Any]:
        """Return the fields by name, for a table that is opened from this template."""
        return {name: getattr(self, name) for name in self.names()}
