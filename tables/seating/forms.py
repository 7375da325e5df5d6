from django import forms

from tables.models import BotStrength

# ASCII digits alone: a number field would also read other scripts' digits and "1_000".
WHOLE_NUMBER = r"[0-9]{1,15}"


class BotStrengthForm(forms.Form):
    """The strength of practice bots. Where it may be empty, the table's own counts."""

    strength = forms.TypedChoiceField(choices=BotStrength, coerce=BotStrength)


class AmountForm(forms.Form):
    """The amount to bring, in the smallest unit of the table's currency."""

    amount = forms.RegexField(rf"^{WHOLE_NUMBER}$")

    def clean_amount(self) -> int:
        return int(self.cleaned_data["amount"])


class SitForm(AmountForm):
    """The amount to bring, and the seat."""

    seat = forms.RegexField(r"^[0-5]?$", required=False)
    # The code of a private table.
    invite = forms.CharField(max_length=16, required=False)

    def clean_seat(self) -> int | None:
        seat = self.cleaned_data["seat"]
        return int(seat) if seat else None
