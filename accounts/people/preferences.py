"""Preferences such as looks and sounds. Those of an account apply in every browser in which it is signed in.

Pages apply them (static/js/lib/prefs.js has the same table). Without an account, the browser stores them.
"""

from collections.abc import Mapping
from typing import Final

from django.db.models import F, JSONField, Value
from django.db.models.expressions import CombinedExpression

from accounts.models import AbsenceNotice, User
from accounts.refusals import NoSuchPreference

# The first value is the default.
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "theme": ("auto", "light", "dark"),
    "suits": ("two", "four", "clear"),
    "motion": ("auto", "slow", "fast", "off"),
    "back": ("red", "blue", "green", "black"),
    "felt": ("green", "blue", "wine", "grey"),
    "hand": ("right", "left"),
    "sound": ("on", "off"),
    "volume": ("middle", "low", "high"),
    "vibration": ("on", "off"),
    "confirm": ("on", "off"),
    "keys": ("on", "off"),
    "announce": ("all", "mine"),
    "talk": ("all", "words", "none"),
    # "on" hides achievements, goals and news.
    "quiet": ("off", "on"),
    "bots": ("usual", "easy", "medium", "hard", "expert"),
}
# Values that players unlock by playing, besides those above (players/ranking/rewards.py). Pages set them
# with a form of their own.
EARNED: Final[Mapping[str, tuple[str, ...]]] = {
    "back": ("peacock", "lotus", "mandala", "night"),
    "felt": ("violet", "teak", "ocean"),
    "frame": ("none", "bronze", "silver", "gold", "laurel", "comet"),
}


def set_preferences(*, user_id: int, chosen: Mapping[str, str]) -> None:
    """Store these preferences by name; all others stay. Raises NoSuchPreference, and then changes nothing."""
    if any(value not in CHOICES.get(name, ()) for name, value in chosen.items()):
        raise NoSuchPreference
    _keep(user_id, chosen)


def set_earned(*, user_id: int, chosen: Mapping[str, str]) -> None:
    """Store preferences, including those in `EARNED`. The caller has checked that the player has unlocked them.

    Raises NoSuchPreference.
    """
    if not all(_is_known(name, value) for name, value in chosen.items()):
        raise NoSuchPreference
    _keep(user_id, chosen)


def _keep(user_id: int, chosen: Mapping[str, str]) -> None:
    # Merge in the database, so that two browsers at the same moment lose nothing of each other's.
    joined = CombinedExpression(F("preferences"), "||", Value(dict(chosen), JSONField()))
    User.objects.filter(pk=user_id).update(preferences=joined)


def get_preferences(user: User) -> dict[str, str]:
    """Return the preferences that the player has chosen and that this version still supports."""
    return {name: value for name, value in user.preferences.items() if _is_known(name, value)}


def _is_known(name: str, value: str) -> bool:
    return value in CHOICES.get(name, ()) or value in EARNED.get(name, ())


def get_frame(user: User) -> str | None:
    """Return the code of the frame around the player's face, or None without one."""
    frame = user.preferences.get("frame")
    return frame if frame in EARNED["frame"][1:] else None


def has_earned_looks(user: User) -> bool:
    """Return whether the player has chosen a card back or table felt of `EARNED`, which need their own stylesheet."""
    return any(user.preferences.get(name) in EARNED[name] for name in ("back", "felt"))


def is_quiet(user: User) -> bool:
    """Return whether the player has turned off achievements, goals and news."""
    return get_preferences(user).get("quiet") == "on"


def stop_absence_mails(*, user_id: int) -> None:
    """Stop mailing the player about absences. Their devices still get notifications."""
    by_mail = User.objects.filter(pk=user_id, absence_notice=AbsenceNotice.PUSH_OR_EMAIL)
    by_mail.update(absence_notice=AbsenceNotice.PUSH)
