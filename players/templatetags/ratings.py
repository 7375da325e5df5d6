"""Template tags that show ratings, progress and looks on other pages of the site."""

from collections.abc import Sequence
from dataclasses import dataclass

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from players.ranking.levels import Level, shows_progress
from players.ranking.rewards import Offer, list_rewards
from players.ranking.selectors import level_among, list_achievements

register = template.Library()

_FREE: dict[tuple[str, str], str | Promise] = {
    ("back", "red"): _("Red"),
    ("back", "blue"): _("Blue"),
    ("back", "green"): _("Green"),
    ("back", "black"): _("Black"),
    ("felt", "green"): _("Green"),
    ("felt", "blue"): _("Blue"),
    ("felt", "wine"): _("Wine red"),
    ("felt", "grey"): _("Grey"),
    ("frame", "none"): _("None"),
}


@dataclass(frozen=True, slots=True)
class AchievementProgress:
    """The number of reached achievements and of all achievements, the level, and the looks of each kind."""

    reached: int
    all: int
    level: Level | None
    offers: Sequence[Offer]

    @property
    def frames(self) -> list[Offer]:
        return [offer for offer in self.offers if offer.kind == "frame"]

    @property
    def looks(self) -> list[Offer]:
        return [offer for offer in self.offers if offer.kind != "frame"]


@register.simple_tag
def get_progress(player: User) -> AchievementProgress:
    """Return a player's own progress. `level` is None for players to whom no progress is shown."""
    lines = list_achievements(player.pk) if shows_progress(player) else []
    reached = sum(line.tier > 0 for line in lines)
    return AchievementProgress(
        reached, len(lines), level_among(lines), list_rewards(player, lines or None)
    )


@register.filter
def name_of_look(code: str, kind: str) -> str:
    """Return the title of a free look."""
    return str(_FREE[kind, code])
