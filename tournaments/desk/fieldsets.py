"""The sections of the pages of templates and tournaments, and the units of their fields."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.models import Terms

Labels = Mapping[str, str | Promise]

AMOUNTS: Final = ("entry_fee", "guarantee")
TIMES: Final[Labels] = {
    "break_seconds": _("break between rounds, in minutes"),
    "round_seconds": _("time limit of a round, in minutes"),
    "late_seconds": _("late registration, in minutes"),
}
TIMES_OF_TEMPLATE: Final[Labels] = {
    **TIMES,
    "announce_seconds": _("announced before the start, in minutes"),
    "registration_seconds": _("registration opens before the start, in minutes"),
}
HELPS: Final[Labels] = {
    "entry_fee": _("In rupees or chips; 0 for a free tournament."),
    "guarantee": _("In rupees or chips. The house adds what the entry fees do not bring."),
    "rake_bps": _("In per cent. Empty: as the fee schedules say."),
    "round_seconds": _("No new deal begins in its last 30 seconds."),
    "late_seconds": _("From the start, while the first round runs; 0 for none."),
    "announce_seconds": _("1440 is a day."),
    "registration_seconds": "",
    "break_seconds": _("1:30 is a minute and a half."),
}
_NAMES = ("name", "description", "words")
_PLAY = ("preset", "format", "seats", "deals", "qualifiers", "stakes", "start_chips")
_TIMES = (
    "round_seconds",
    "overtime_turn_seconds",
    "overtime_seconds",
    "seats_early",
    "break_seconds",
    "late_seconds",
)
_MONEY = ("currency", "entry_fee", "guarantee", "payout_kind", "payout_text")
_FIELD = ("min_entrants", "max_entrants", "bots_to", "bot_strength", "allows_api_players")
_REBUYS = ("rebuys", "rebuy_rounds", "rebuy_below")


def _terms(*, name: Iterable[str], times: Iterable[str], money: Iterable[str]) -> Any:
    """The parts of a form; terms that have no place here yet are at its end."""
    parts = (
        (None, tuple(name)),
        (_("Play"), _PLAY),
        (_("Times"), (*times, *_TIMES)),
        (_("Entry fee and prizes"), (*_MONEY, *money)),
        (_("Players"), _FIELD),
        (_("Rebuys"), _REBUYS),
    )
    placed = {field for _title, fields in parts for field in fields} | {"game", "payout_table"}
    others = tuple(field for field in Terms.names() if field not in placed)
    rest = ((_("More"), others),) if others else ()
    return tuple((title, {"fields": fields}) for title, fields in (*parts, *rest))


TEMPLATE_FIELDSETS: Final[Any] = (
    *_terms(
        name=_NAMES,
        times=("schedule", "announce_seconds", "registration_seconds"),
        money=("rake_bps", "ticket_for"),
    ),
    (_("Offer"), {"fields": ("is_open", "preview")}),
)
PLANNED_FIELDSETS: Final[Any] = _terms(name=_NAMES, times=("opens_at", "starts_at"), money=())
_STATE = (
    "status", "seats_taken", "round_number", "late_until", "next_round_at", "due_at", "started_at",
    "ended_at", "wound_up_at", "paused_at", "broken_at", "broken_reason", "cancel_reason",
)  # fmt: skip
_STANDING = _terms(
    name=(*_NAMES, "template"),
    times=("opens_at", "starts_at"),
    money=("rake_bps", "rake_cap", "ticket_for", "settled"),
)
_IN_WORDS: Final = {
    "payout_text": "prizes",
    "preset": "rules_in_words",
    "words": "words_told",
}
_OF_SHOOT_OUTS: Final = frozenset({"stakes", "start_chips"})


def standing_fieldsets(*, keeps_chips: bool) -> Any:
    """Return the sections of an announced tournament.

    Its promise stands: prizes and rules are words, not fields. Kept chips are of shoot-outs only.
    Its state comes first, as staff look for it.
    """
    terms = (
        (
            title,
            {
                "fields": tuple(
                    _IN_WORDS.get(name, name)
                    for name in options["fields"]
                    if keeps_chips or name not in _OF_SHOOT_OUTS
                )
            },
        )
        for title, options in _STANDING
    )
    return ((_("State"), {"fields": _STATE}), *terms)
