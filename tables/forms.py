from django import forms
from django.utils.translation import gettext_lazy as _

from tables.models import CaseTopic, ReportReason
from tables.models.support import LONGEST_MESSAGE

# ASCII digits alone: a number field would also read other scripts' digits and "1_000".
WHOLE_NUMBER = r"[0-9]{1,15}"


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


class LobbyFilterForm(forms.Form):
    """What a player looks for; anything else than these words finds everything."""

    game = forms.ChoiceField(choices=[("POINTS", ""), ("POOL", ""), ("DEALS", "")], required=False)
    seats = forms.ChoiceField(choices=[("2", ""), ("6", "")], required=False)
    money = forms.ChoiceField(choices=[("CHIPS", ""), ("INR", "")], required=False)
    free = forms.ChoiceField(choices=[("1", "")], required=False)


class PlayerForm(forms.Form):
    """Another player of the table; with `listen` the one who was ignored is heard again."""

    player = forms.RegexField(rf"^{WHOLE_NUMBER}$")
    listen = forms.CharField(max_length=3, required=False)


class ReportForm(forms.Form):
    player = forms.RegexField(rf"^{WHOLE_NUMBER}$")
    reason = forms.ChoiceField(choices=ReportReason.choices)
    words = forms.CharField(max_length=500, required=False)


class MessageForm(forms.Form):
    """Words for the staff."""

    text = forms.CharField(
        label=_("Your message"),
        max_length=LONGEST_MESSAGE,
        widget=forms.Textarea(attrs={"rows": 6}),
    )


class CaseForm(MessageForm):
    """What a case is about; cases about a deal begin at the deal."""

    field_order = ["topic", "text"]

    topic = forms.ChoiceField(
        label=_("What is it about?"),
        choices=[choice for choice in CaseTopic.choices if choice[0] != CaseTopic.DEAL],
    )
