"""How the administration writes down templates and tournaments."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tables.games.base import InvalidRules
from tables.games.registry import get_game
from tables.models import Variant
from tournaments.ladders import ladder_text, parse_ladder, sentence_for
from tournaments.models import Terms, Tournament, TournamentTemplate
from tournaments.payouts import InvalidLadder, LadderKind

# All terms but the ladder, which is written as text.
WRITTEN_TERMS = tuple(name for name in Terms.names() if name != "ladder")


class TermsForm(forms.ModelForm):  # type: ignore[type-arg] # not subscriptable
    """A ladder is written as text; a rule set is one of deals rummy."""

    ladder_text = forms.CharField(
        label=_("prizes"),
        max_length=2_000,
        help_text=_(
            "By rank from the first on: “50, 30, 2x10” is 50, 30, 10 and 10 percent. "
            "Fixed prizes are amounts in chips or paise."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        terms: Terms = self.instance
        kind = LadderKind(terms.ladder_kind)
        if "ladder_text" in self.fields:
            self.fields["ladder_text"].initial = ladder_text(terms.ladder, kind=kind)

    def clean_preset(self) -> str:
        preset: str = self.cleaned_data["preset"]
        game = get_game("indian")
        try:
            rules = game.preset(preset)
        except InvalidRules as invalid:
            raise forms.ValidationError(str(invalid)) from invalid
        if game.family(rules) != Variant.DEALS:
            raise forms.ValidationError(_("Tournaments are played by rules of deals rummy."))
        return preset

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        text, kind = cleaned.get("ladder_text"), cleaned.get("ladder_kind")
        if text and kind:
            try:
                ladder = parse_ladder(text, kind=LadderKind(kind))
            except InvalidLadder as invalid:
                self.add_error("ladder_text", sentence_for(invalid))
            else:
                self.instance.ladder = [[step.places, step.share] for step in ladder.steps]
        return cleaned


class TemplateForm(TermsForm):
    class Meta:
        model = TournamentTemplate
        fields = (
            *WRITTEN_TERMS,
            "schedule",
            "announce_seconds",
            "registration_seconds",
            "rake_bps",
            "ticket_for",
            "is_open",
        )


class TournamentForm(TermsForm):
    """A tournament's own terms, until registration opens."""

    class Meta:
        model = Tournament
        fields = (*WRITTEN_TERMS, "opens_at", "starts_at")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        opens_at, starts_at = cleaned.get("opens_at"), cleaned.get("starts_at")
        if opens_at and starts_at and opens_at >= starts_at:
            self.add_error("opens_at", _("Registration opens before the start."))
        return cleaned


class MakeTournamentForm(forms.ModelForm):  # type: ignore[type-arg] # not subscriptable
    """A tournament is made of a template, to begin at a time of one's own."""

    template = forms.ModelChoiceField(
        TournamentTemplate.objects.order_by("name"), label=_("tournament template")
    )

    class Meta:
        model = Tournament
        fields = ("template", "starts_at")
