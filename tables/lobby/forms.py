from django import forms


class LobbyFilterForm(forms.Form):
    """What a player looks for; anything else than these words finds everything."""

    game = forms.ChoiceField(choices=[("POINTS", ""), ("POOL", ""), ("DEALS", "")], required=False)
    seats = forms.ChoiceField(choices=[("2", ""), ("6", "")], required=False)
    money = forms.ChoiceField(choices=[("CHIPS", ""), ("INR", "")], required=False)
    free = forms.ChoiceField(choices=[("1", "")], required=False)
