from django import forms
from django.utils.translation import gettext_lazy as _

from tables.models import CaseTopic
from tables.models.support import LONGEST_MESSAGE


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
