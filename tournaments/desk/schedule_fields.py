"""Form fields that ask for a schedule in plain words and build its crontab."""

from typing import Any, Final

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from tournaments.rules.plain_schedule import (
    PACES,
    PlainSchedule,
    Repeats,
    day_choices,
    read_plainly,
    read_times,
    sort_days,
)
from tournaments.rules.schedule import InvalidSchedule

SCHEDULE_FIELDS: Final = ("repeats", "every", "weekdays", "date", "times", "schedule")
_TITLES: Final[dict[Repeats, str | Promise]] = {
    Repeats.NEVER: _("by hand: staff create each tournament"),
    Repeats.MINUTES: _("every few minutes, or every hour"),
    Repeats.WEEK: _("on days of the week"),
    Repeats.MONTH: _("once a month"),
    Repeats.CRONTAB: _("another schedule: a crontab"),
}
_TIMES: Final = _("Enter times such as 18:00, or 12:30, 18:30.")
_NEEDS: Final[dict[Repeats, dict[str, str | Promise]]] = {
    Repeats.MINUTES: {"every": _("Choose how often it repeats.")},
    Repeats.WEEK: {"weekdays": _("Choose a day."), "times": _TIMES},
    Repeats.MONTH: {"date": _("Enter a day of the month."), "times": _TIMES},
}


def _pace_choices() -> list[tuple[int, str]]:
    return [
        (pace, ngettext("%(number)s minute", "%(number)s minutes", pace) % {"number": pace})
        for pace in PACES
    ]


class AsksSchedule(forms.Form):
    """A form for a model with `schedule`. If no repetition is chosen, the crontab is used exactly as typed."""

    repeats = forms.ChoiceField(
        label=_("Begins"), choices=list(_TITLES.items()), required=False, initial=Repeats.WEEK
    )
    every = forms.TypedChoiceField(
        label=_("Every"), choices=_pace_choices, coerce=int, required=False
    )
    weekdays = forms.TypedMultipleChoiceField(
        label=_("Days of the week"),
        choices=day_choices,
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    date = forms.IntegerField(
        label=_("Day of the month"), min_value=1, max_value=31, required=False
    )
    times = forms.CharField(
        label=_("At"),
        max_length=100,
        required=False,
        help_text=_("In the site's time, such as 18:00, or 12:30, 18:30."),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if "repeats" not in self.fields or not self.instance.pk:  # type: ignore[attr-defined] # of a model's form
            return
        expression = self.instance.schedule  # type: ignore[attr-defined] # likewise
        try:
            plain = read_plainly(expression)
        except InvalidSchedule:
            plain = PlainSchedule(Repeats.CRONTAB)
        self.initial = {
            **self.initial,
            "repeats": plain.repeats,
            "every": plain.every,
            "weekdays": plain.days,
            "date": plain.date or None,
            "times": plain.times,
        }

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        repeats = cleaned.get("repeats")
        if repeats and repeats != Repeats.CRONTAB:
            needs = _NEEDS.get(Repeats(repeats), {})
            for name, sentence in needs.items():
                if not cleaned.get(name) and name not in self.errors:
                    self.add_error(name, str(sentence))
            if not self.errors.keys() & needs.keys():
                cleaned["schedule"] = self._crontab(Repeats(repeats), cleaned)
        return cleaned

    def _crontab(self, repeats: Repeats, cleaned: dict[str, Any]) -> str:
        hours: tuple[int, ...] = ()
        minute = 0
        if "times" in _NEEDS.get(repeats, {}):
            try:
                hours, minute = read_times(cleaned["times"])
            except InvalidSchedule as invalid:
                self.add_error("times", str(invalid))
                return ""
        return PlainSchedule(
            repeats,
            every=cleaned.get("every") or 0,
            days=sort_days(cleaned.get("weekdays") or ()),
            date=cleaned.get("date") or 0,
            hours=hours,
            minute=minute,
        ).crontab
