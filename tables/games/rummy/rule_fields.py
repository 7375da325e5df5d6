"""Rule sets as data: reading them from JSON, field by field, on top of a preset."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, fields, replace
from typing import Any, Final, Generic, Literal, TypeVar, get_args, get_origin

from tables.games.base import JSON, InvalidRules

RulesT = TypeVar("RulesT")

_INT_OR_NONE: Final = int | None


class RuleFields(Generic[RulesT]):
    """`kind` is a frozen dataclass of whole numbers, flags, texts to choose from and optional numbers.

    `read` has fields of another form: each takes the JSON and returns the value, or raises
    `ValueError`. A number may be zero unless it is named in `at_least_one`.
    """

    def __init__(
        self,
        kind: type[RulesT],
        presets: Mapping[str, RulesT],
        *,
        at_least_one: frozenset[str],
        read: Mapping[str, Callable[[object], Any]],
        check: Callable[[RulesT], None],
    ) -> None:
        self._types: dict[str, Any] = {f.name: f.type for f in fields(kind)}  # type: ignore[arg-type] # one
        self._presets = presets
        self._usual, *_ = presets.values()
        self._at_least_one = at_least_one
        self._read = read
        self._check = check

    def parse(self, data: object) -> RulesT:
        """Read a rule set: the preset that `name` names, if any, with the other fields on top."""
        if not isinstance(data, Mapping):
            raise InvalidRules("Rules are an object of fields.")
        values = {str(name): self._value(name, value) for name, value in data.items()}
        base: Any = self._presets.get(str(values.get("name")), self._usual)
        rules: RulesT = replace(base, **values)
        self._check(rules)
        return rules

    def json(self, rules: RulesT) -> dict[str, JSON]:
        return {name: _as_json(value) for name, value in asdict(rules).items()}  # type: ignore[call-overload] # one

    def changes(self, rules: RulesT) -> dict[str, JSON]:
        """The fields that differ from the preset of this name; `parse` reads them back."""
        named: Any = rules
        base = self.json(self._presets.get(named.name, self._usual))
        return {
            name: value
            for name, value in self.json(rules).items()
            if name == "name" or value != base[name]
        }

    def _value(self, name: object, value: Any) -> Any:
        if name not in self._types:
            raise InvalidRules(f"There is no rule {name!r}.")
        field = str(name)
        if field in self._read:
            try:
                return self._read[field](value)
            except (TypeError, ValueError):
                raise InvalidRules(f"{value!r} is no value for {field}.") from None
        if not _is_value(self._types[field], value):
            raise InvalidRules(f"{value!r} is no value for {field}.")
        if type(value) is int and value < (field in self._at_least_one):
            raise InvalidRules(f"{field} is too small.")
        return value


def _is_value(expected: Any, value: Any) -> bool:
    if expected == _INT_OR_NONE:
        return value is None or type(value) is int
    if get_origin(expected) is Literal:
        return isinstance(value, str) and value in get_args(expected)
    return type(value) is expected


def _as_json(value: Any) -> Any:
    """Tuples are lists on the wire."""
    return [_as_json(one) for one in value] if isinstance(value, tuple) else value
