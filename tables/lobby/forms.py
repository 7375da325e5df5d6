from django import forms

from tables.play.titles import format_choices


class LobbyFilterForm(forms.Form):
    """What a player looks for; anything else than these words finds everything."""

    # "indian:POOL", or a game's code where several are played.
    game = forms.ChoiceField(choices=format_choices, required=False)
    seats = forms.ChoiceField(choices=[("2", ""), ("6", "")], required=False)
    money = forms.ChoiceField(choices=[("CHIPS", ""), ("INR", "")], required=False)
    free = forms.ChoiceField(choices=[("1", "")], required=False)
