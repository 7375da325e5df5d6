"""The names of what a statement's lines are about; the apps above, which know them, add theirs."""

from collections.abc import Callable, Collection, Mapping

# From the numbers of tables, tournaments: the names of those that are known.
Names = Callable[[Collection[int]], Mapping[int, str]]
_NAMES: dict[str, Names] = {}


def add_names(kind: str, names: Names) -> None:
    """`kind` is what stands before the number in a journal's subject: "table" of "table:7"."""
    _NAMES[kind] = names


def names_of(subjects: Collection[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Of these kinds and numbers; a query for each kind. What has no name is left out."""
    found: dict[tuple[str, str], str] = {}
    for kind, names in _NAMES.items():
        numbers = {int(number) for its, number in subjects if its == kind and number.isdecimal()}
        if numbers:
            found |= {(kind, str(number)): name for number, name in names(numbers).items()}
    return found
