"""Rule sets as data: a game's presets, and rule sets read from JSON as changes to a preset."""

from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import replace as replace_type
from functools import lru_cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    Protocol,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from games.engine.base import JSON, FieldType, InvalidRules
from games.engine.fields import UNREADABLE, Within, make_readers
from games.engine.state import as_json, replace


class Named(Hashable, Protocol):
    """A rule set: a `Value` with the name of its preset."""

    @property
    def name(self) -> str: ...


RulesT = TypeVar("RulesT", bound=Named)


def type_of_field(hint: Any, bounds: Within | None = None) -> FieldType:
    """Return the field type of a type hint.

    Raises `TypeError` for a type that forms have no input for, and for a number or a list without bounds.
    """
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return type_of_field(parts[0], parts[1])
    if origin in (Union, UnionType):
        [inner] = [part for part in parts if part is not NoneType]
        return replace_type(type_of_field(inner), is_optional=True)
    if origin is Literal:
        return FieldType("choice", choices=parts)
    if hint is bool:
        return FieldType("flag")
    if bounds is not None and origin is tuple:
        return FieldType("list", bounds.least, bounds.most, item=type_of_field(parts[0]))
    if bounds is not None and hint is int:
        return FieldType("number", bounds.least, bounds.most)
    raise TypeError(
        f"a rule needs bounds that a person could mean (games/engine/fields.py): {hint}"
    )


class RuleBook(Generic[RulesT]):
    """A game's presets, the default first, and a parser for rule sets.

    `check` raises `InvalidRules` for contradictory values. `internal` names the fields that people do not choose,
    because a format, a tournament or staff set them.
    """

    def __init__(
        self,
        *presets: RulesT,
        check: Callable[[RulesT], None],
        internal: Collection[str] = (),
    ) -> None:
        self.presets: Mapping[str, RulesT] = {rules.name: rules for rules in presets}
        self.usual = presets[0]
        self.kind = type(self.usual)
        self._check = check
        self._fields = make_readers(self.kind)
        hints = get_type_hints(self.kind, include_extras=True)
        self._types = {name: type_of_field(hints[name]) for name in self._fields if name != "name"}
        self.internal = frozenset(internal)
        self._json = lru_cache(maxsize=256)(self._write_fields)

    def field_types(self) -> Mapping[str, FieldType]:
        """Return the type of each field that people may choose."""
        return {name: kind for name, kind in self._types.items() if name not in self.internal}

    def preset(self, name: str) -> RulesT:
        try:
            return self.presets[name]
        except KeyError:
            raise InvalidRules(f"There is no rule set {name!r}.") from None

    def parse(self, data: object) -> RulesT:
        """Read a rule set: the preset of this `name`, or else the default, with the other fields replaced.

        Raises `InvalidRules`.
        """
        if not isinstance(data, Mapping):
            raise InvalidRules("Rules are an object of fields.")
        values = {str(name): self._value(name, value) for name, value in data.items()}
        base: Any = self.presets.get(str(values.get("name")), self.usual)
        rules: RulesT = replace(base, **values)
        self._check(rules)
        return rules

    def load(self, data: object) -> RulesT:
        """Read a stored rule set, whose numbers may be out of today's bounds.

        Raises `InvalidRules`.
        """
        return self.parse(self.bring_within_bounds(data) if isinstance(data, Mapping) else data)

    def bring_within_bounds(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return stored fields with each number that is out of bounds replaced by the bound that it exceeds."""
        return {name: self._find_nearest(name, value) for name, value in data.items()}

    def _find_nearest(self, name: str, value: Any) -> Any:
        kind = self._types.get(name)
        if kind is None or kind.kind != "number" or type(value) is not int:
            return value
        return min(max(value, kind.least), kind.most)

    def change(self, rules: RulesT, **changes: Any) -> RulesT:
        return self.parse({**self.json(rules), **changes})

    def json(self, rules: RulesT) -> dict[str, JSON]:
        return dict(self._json(rules))

    def _write_fields(self, rules: RulesT) -> dict[str, JSON]:
        return {name: as_json(getattr(rules, name)) for name in self._fields}

    def _value(self, name: object, value: Any) -> Any:
        if name not in self._fields:
            raise InvalidRules(f"There is no rule {name!r}.")
        try:
            return self._fields[str(name)](value)
        except TypeError:
            raise InvalidRules(f"{value!r} is no value for {name}.") from None
        except UNREADABLE:
            raise InvalidRules(
                f"{value!r} is no value for {name}: it is too small or too large."
            ) from None
