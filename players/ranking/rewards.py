"""Looks that players unlock: card backs, table felts and frames around the face. They are the only rewards.

A look is unlocked by a level or an achievement's tier; it cannot be bought or won by chance. A chosen look
stays chosen. Codes are stored as preferences (accounts/people/preferences.py). static/css/rewards.css draws
backs and felts, static/css/frames.css the frames.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.people.preferences import CHOICES, get_preferences, set_earned
from core.refusals import Refusal
from players.ranking.achievements import ACHIEVEMENTS
from players.ranking.levels import shows_progress
from players.ranking.selectors import AchievementLine, level_among, list_achievements
from players.refusals import NOT_UNLOCKED

KINDS: Final = ("back", "felt", "frame")
_FREE: Final[Mapping[str, Sequence[str]]] = {**CHOICES, "frame": ("none",)}


@dataclass(frozen=True, slots=True)
class Reward:
    """A look that is unlocked at `level`, or by tier `tier` of the achievement `by`."""

    kind: str
    code: str
    name: str | Promise
    level: int = 0
    by: str = ""
    tier: int = 0

    def is_unlocked(self, level: int, tiers: Mapping[str, int]) -> bool:
        """Return whether a player unlocks the reward. `tiers` maps codes of achievements to the tiers reached."""
        return tiers.get(self.by, 0) >= self.tier if self.by else level >= self.level

    @property
    def condition(self) -> str:
        """Describe the level or achievement that unlocks the reward."""
        if not self.by:
            return gettext("From level %(level)s") % {"level": self.level}
        entry = ACHIEVEMENTS[self.by]
        matches = entry.tiers[self.tier - 1]
        text = ngettext("“%(title)s”: %(count)s match", "“%(title)s”: %(count)s matches", matches)
        return text % {"title": entry.title, "count": matches}


REWARDS: Final = (
    Reward("frame", "bronze", _("Bronze"), level=2),
    Reward("back", "peacock", _("Peacock"), level=3),
    Reward("felt", "violet", _("Violet"), level=4),
    Reward("back", "lotus", _("Lotus"), level=6),
    Reward("frame", "silver", _("Silver"), level=8),
    Reward("felt", "teak", _("Teak"), level=9),
    Reward("back", "mandala", _("Mandala"), level=11),
    Reward("frame", "gold", _("Gold"), level=14),
    Reward("back", "night", _("Night sky"), by="wins", tier=2),
    Reward("felt", "ocean", _("Ocean"), by="event_matches", tier=1),
    Reward("frame", "laurel", _("Laurel"), by="event_wins", tier=1),
    Reward("frame", "comet", _("Comet"), by="comebacks", tier=2),
)


@dataclass(frozen=True, slots=True)
class RewardLine:
    """A reward, and whether one player has unlocked it."""

    reward: Reward
    is_unlocked: bool


@dataclass(frozen=True, slots=True)
class Offer:
    """The looks of one kind. `chosen` is the player's current look, either a free one or a reward."""

    kind: str
    chosen: str
    free: Sequence[str]
    lines: Sequence[RewardLine]


def list_rewards(player: User, progress: Sequence[AchievementLine] | None) -> list[Offer]:
    """Return a player's looks by kind, with the rewards that these achievements unlock.

    `progress` is None for players to whom no progress is shown. They see the free looks, and of the rewards only those
    that they have chosen before.
    """
    chosen = {**{kind: _FREE[kind][0] for kind in KINDS}, **get_preferences(player)}
    level = level_among(progress or ())
    number = 1 if level is None else level.number
    tiers = {line.entry.code: line.tier for line in progress or ()}
    offers = []
    for kind in KINDS:
        lines = [
            RewardLine(reward, chosen[kind] == reward.code or reward.is_unlocked(number, tiers))
            for reward in REWARDS
            if reward.kind == kind and (progress is not None or chosen[kind] == reward.code)
        ]
        if lines or len(_FREE[kind]) > 1:
            offers.append(Offer(kind, chosen[kind], _FREE[kind], lines))
    return offers


def choose_looks(*, player: User, chosen: Mapping[str, str]) -> None:
    """Store the chosen looks by kind, free ones or rewards. Raises NOT_UNLOCKED; then nothing has changed."""
    allowed = {kind: set(_FREE[kind]) for kind in KINDS}
    progress = list_achievements(player.pk) if shows_progress(player) else None
    for offer in list_rewards(player, progress):
        allowed[offer.kind] |= {line.reward.code for line in offer.lines if line.is_unlocked}
    if any(code not in allowed.get(kind, ()) for kind, code in chosen.items()):
        raise Refusal(NOT_UNLOCKED)
    set_earned(user_id=player.pk, chosen=chosen)
