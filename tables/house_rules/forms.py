"""A form for the fields of a rule set, built from the game's own descriptions.

A field left empty keeps the preset's value. Its help text lists its values in the presets of the format.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.values.numbers import parse_number
from games.engine.base import JSON, FieldType, InvalidRules, RuleFact
from games.engine.fields import NO_LIMIT_MINUTES
from games.registry import get_format, get_game
from tables.catalog import list_presets, title_of_preset, translate
from tables.house_rules.facts import GROUPS
from tables.models.house_rules import read_rules

PREFIX: Final = "rule_"
_FLAGS: Final = {"true": True, "false": False}


class Nothing:
    """Marks a field that was set to None. A field left empty keeps the preset's value instead."""


NOTHING: Final = Nothing()


class NumberOrNoneField(forms.IntegerField):
    """A number, or the words that stand for None, such as "no limit"."""

    widget = forms.TextInput

    def __init__(self, none: str, **options: Any) -> None:
        super().__init__(required=False, **options)
        self.none = none

    def prepare_value(self, value: Any) -> Any:
        return self.none if value is NOTHING else value

    def clean(self, value: Any) -> Any:
        is_none = isinstance(value, str) and value.strip().casefold() == self.none.casefold()
        return NOTHING if is_none else super().clean(value)


class ListField(forms.CharField):
    """A list as people type it: "10, 7, 7", or a list of lists: "set + set, set + run"."""

    def __init__(self, kind: FieldType, **options: Any) -> None:
        self.kind = kind
        super().__init__(max_length=200, required=False, **options)

    def prepare_value(self, value: Any) -> Any:
        return format_list(value) if isinstance(value, list | tuple) else value

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        if not text:
            return None
        return [self._part(part.strip()) for part in text.split(",")]

    def _part(self, part: str) -> JSON:
        if self.kind.item is not None and self.kind.item.kind == "list":
            return [one.strip() for one in part.split("+")]
        number = parse_number(part)
        if number is None:
            raise forms.ValidationError(_("Enter numbers separated by commas."))
        return number


def format_list(value: Sequence[Any]) -> str:
    """Format a list in the form that `ListField` parses."""
    return ", ".join(
        " + ".join(one) if isinstance(one, list | tuple) else str(one) for one in value
    )


def filter_facts(
    game_code: str, preset: str, names: Collection[str] | None = None
) -> list[RuleFact]:
    """Return the rules that apply to a preset. If `names` is given, return only the rules with these names."""
    game = get_game(game_code)
    usual = game.rules.preset(preset)
    rules, format = game.rules.json(usual), game.money.get_format_code(usual)
    return [
        fact
        for fact in game.words.rule_facts
        if (fact.needs is None or rules[fact.needs])
        and fact.only_in in ("", format)
        and (names is None or fact.name in names)
    ]


def build_rule_fields(
    game_code: str, preset: str, names: Collection[str] | None = None
) -> dict[str, forms.Field]:
    """Return a mapping with a form field for each rule. A key is `PREFIX` followed by the rule's name."""
    game = get_game(game_code)
    usual = game.rules.preset(preset)
    values, kinds = game.rules.json(usual), game.rules.field_types()
    others = _list_presets(game_code, game.money.get_format_code(usual))
    fields = {}
    for fact in filter_facts(game_code, preset, names):
        kind = kinds[fact.name]
        may_be_none = kind.is_optional and _is_playable_without(game_code, preset, fact)
        field = _build_field(fact, kind, values[fact.name], may_be_none)
        field.label = translate(fact.label)
        field.help_text = " ".join(
            filter(None, (_ways_to_write(field, kind), _describe_presets(others, fact)))
        )
        fields[PREFIX + fact.name] = field
    return fields


def group_fields(
    game_code: str, preset: str, names: Collection[str] | None = None
) -> list[tuple[str, list[str]]]:
    """Return the title of each group of rules with the names of its form fields, in the order of the game's pages."""
    facts = filter_facts(game_code, preset, names)
    found = {
        title: [PREFIX + fact.name for fact in facts if fact.group == group]
        for group, title in GROUPS.items()
    }
    return [(str(title), fields) for title, fields in found.items() if fields]


def read_changes(game_code: str, preset: str, cleaned: Mapping[str, Any]) -> dict[str, JSON]:
    """Return the fields whose values differ from the preset's.

    Raises InvalidRules if the game refuses the resulting rules, or if they belong to another format.
    """
    game = get_game(game_code)
    usual = game.rules.preset(preset)
    base = game.rules.json(usual)
    changes: dict[str, JSON] = {}
    for name, value in cleaned.items():
        if not name.startswith(PREFIX) or value is None or value == "":
            continue
        field = name.removeprefix(PREFIX)
        is_flag = isinstance(value, str) and value in _FLAGS
        changes[field] = None if value is NOTHING else _FLAGS[value] if is_flag else value
    own = {name: value for name, value in changes.items() if value != base[name]}
    rules = read_rules(game_code, preset, own)
    if game.money.get_format_code(rules) != game.money.get_format_code(usual):
        raise InvalidRules(
            gettext("These rules belong to another format: start from that format's rules instead.")
        )
    return own


class RulesForm(forms.Form):
    """The fields of a rule set based on `preset`.

    After validation `changes` holds the values that differ from the preset.
    """

    changes: dict[str, JSON]

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        game: str,
        preset: str,
        names: Collection[str] | None = None,
        changes: Mapping[str, JSON] | None = None,
    ) -> None:
        super().__init__(data, initial=build_initial(changes or {}))
        self.game, self.preset, self.names = game, preset, names
        self.fields.update(build_rule_fields(game, preset, names))

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                self.changes = read_changes(self.game, self.preset, cleaned)
            except InvalidRules as invalid:
                self.add_error(None, str(invalid))
        return cleaned

    def groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """Return the groups with their bound fields, for a page."""
        return [
            (title, [self[name] for name in fields])
            for title, fields in group_fields(self.game, self.preset, self.names)
        ]


def build_initial(changes: Mapping[str, JSON]) -> dict[str, Any]:
    """Return the form's initial values for stored changes."""
    return {PREFIX + name: _read_initial(value) for name, value in changes.items()}


def _read_initial(value: JSON) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return NOTHING if value is None else value


def _is_playable_without(game_code: str, preset: str, fact: RuleFact) -> bool:
    """Return whether the preset stays valid, and keeps its format, if this field is None."""
    get_format_code = get_game(game_code).money.get_format_code
    try:
        without = read_rules(game_code, preset, {fact.name: None})
    except InvalidRules:
        return False
    return get_format_code(without) == get_format_code(get_game(game_code).rules.preset(preset))


def _build_field(fact: RuleFact, kind: FieldType, usual: JSON, may_be_none: bool) -> forms.Field:  # noqa: FBT001 - of this module
    shown = _describe_value(fact, usual)
    if kind.kind in ("flag", "choice"):
        values = tuple(_FLAGS) if kind.kind == "flag" else kind.choices
        return forms.ChoiceField(
            choices=[
                ("", gettext("as usual: %(value)s") % {"value": shown}),
                *((value, _describe_value(fact, _FLAGS.get(value, value))) for value in values),
            ],
            required=False,
        )
    if kind.kind == "list":
        return ListField(kind, widget=forms.TextInput({"placeholder": shown}))
    least, most = kind.least, kind.most
    if may_be_none and usual is not None:
        none = _describe_value(fact, None)
        field: forms.IntegerField = NumberOrNoneField(none, min_value=least, max_value=most)
    else:
        field = forms.IntegerField(required=False, min_value=least, max_value=most)
    field.widget.attrs["placeholder"] = shown
    return field


def _ways_to_write(field: forms.Field, kind: FieldType) -> str:
    number = kind.item if kind.kind == "list" and kind.item is not None else kind
    if number.kind != "number":
        return ""
    bounds = gettext("From %(least)s to %(most)s.") % {"least": number.least, "most": number.most}
    if number.most == NO_LIMIT_MINUTES:
        bounds = capfirst(gettext("at least %(least)s") % {"least": number.least})
    if isinstance(field, NumberOrNoneField):
        return gettext("Enter a number or “%(none)s”.") % {"none": field.none} + f" {bounds}"
    return bounds


def _describe_value(fact: RuleFact, value: JSON) -> str:
    """Format a field's value for a form, with words for true, false and None."""
    if isinstance(value, list):
        return format_list(value)
    if value in fact.words:
        return translate(fact.words[value])
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return gettext("none") if value is None else str(value)


# A preset's title, its values, and whether the help pages mention it.
_Told = tuple[str, Mapping[str, JSON], bool]


def _list_presets(game_code: str, format: str) -> list[_Told]:
    """Return the title and values of each preset of a format, and whether the help pages list it."""
    book = get_game(game_code).rules
    told = get_format(game_code, format).presets
    return [
        (title_of_preset(game_code, name), book.json(book.preset(name)), name in told)
        for name in list_presets(game_code, format)
    ]


def _describe_presets(presets: Sequence[_Told], fact: RuleFact) -> str:
    """Describe which presets have which value: "Pool 61: 60 · Pool 101, Pool 201: 80".

    Return an empty string if all values are equal. A preset that the help pages leave out is listed only if no other
    one has its value.
    """
    by_value: dict[str, list[str]] = {}
    for title, rules, is_told in presets:
        titles = by_value.setdefault(_describe_value(fact, rules[fact.name]), [])
        if is_told or not titles:
            titles.append(title)
    if len(by_value) == 1:
        return ""
    return " · ".join(f"{', '.join(titles)}: {value}" for value, titles in by_value.items())
