from django import forms

from tables.models import BotStrength

# ASCII digits alone: a number field would also read other scripts' digits and "1_000".
WHOLE_NUMBER = r"[0-9]{1,15}"


class BotStrengthForm(forms.Form):
    """How well practice bots are to play; empty, where that is allowed: as the table says."""

    strength = forms.TypedChoiceField(choices=BotStrength, coerce=BotStrength)


class AmountForm(forms.Form):
    """What to bring, in the smallest unit of the table's currency."""

    amount = forms.RegexField(rf"^{WHOLE_NUMBER}$")

    def clean_amount(self) -> int:
        return int(self.cleaned_data["amount"])


class SitForm(AmountForm):
    """Where to sit as well."""

    seat = forms.RegexField(r"^[0-5]?$", required=False)
    # The code of a private table.
    invite = forms.CharField(max_length=16, required=False)

    def clean_seat(self) -> int | None:
        seat = self.cleaned_data["seat"]
        return int(seat) if seat else None
