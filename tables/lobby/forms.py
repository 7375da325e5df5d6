from django import forms

from tables.catalog import is_choice


class LobbyFilterForm(forms.Form):
    """The search of a player. Unknown words find everything."""

    # "indian:POOL", or a game's code where several are played.
    game = forms.CharField(required=False)
    seats = forms.ChoiceField(choices=[("2", ""), ("6", "")], required=False)
    money = forms.ChoiceField(choices=[("CHIPS", ""), ("INR", "")], required=False)
    free = forms.ChoiceField(choices=[("1", "")], required=False)

    def clean_game(self) -> str:
        game: str = self.cleaned_data["game"]
        if game and not is_choice(game):
            raise forms.ValidationError("")
        return game
