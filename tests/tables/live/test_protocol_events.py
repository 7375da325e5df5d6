"""docs/protocol.md says which events each game has besides Indian rummy, and each one's fields."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tables.games.contract.rulesets import PRESETS

ROOT = Path(__file__).resolve().parents[3]
GAMES = ROOT / "tables/games"
PART = (ROOT / "docs/protocol.md").read_text().split("### Events of the other games")[1]
HEADING = "| kind | gin | basic | contract | rummikub |"
# Where the functions stand that make a game's events, and who calls them.
MADE_IN = {
    "gin": ("gin",),
    "basic": ("rummy",),
    "contract": ("rummy", "contract"),
    "rummikub": ("rummikub",),
}
CALLED_IN = {
    "gin": ("gin",),
    "basic": ("rummy", "basic"),
    "contract": ("rummy", "contract"),
    "rummikub": ("rummikub",),
}
CONSTANTS = {"DEAL_BEGINS": "dealt", "DEAL_ENDS": "deal_over"}
NONE = "\N{EN DASH}"
Events = dict[str, set[str]]


def documented(game: str) -> Events:
    """Kinds and fields in the game's column."""
    table = PART.split("\n## ")[0].split(HEADING)[1].strip().splitlines()[1:]
    column = [name.strip() for name in HEADING.strip("|").split("|")].index(game)
    found: Events = {}
    for row in table:
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        if cells[column] != NONE:
            found[cells[0].strip("`")] = set(re.findall(r"`(\w+)`", cells[column]))
    return found


def of_the_code(game: str) -> Events:
    """What the functions make that the game's modules call."""
    calls: Events = {}
    for name, words in calls_of(game):
        calls[name] = calls.get(name, set()) | words
    found: Events = {}
    for folder in MADE_IN[game]:
        for node in ast.parse((GAMES / folder / "events.py").read_text()).body:
            if isinstance(node, ast.FunctionDef) and node.name in calls:
                for kind, fields in made_by(node, given=calls[node.name]):
                    found[kind] = found.get(kind, set()) | fields
    return found


def calls_of(game: str) -> Iterator[tuple[str, set[str]]]:
    """Names of functions that are called, with the keywords that are given to each."""
    for folder in CALLED_IN[game]:
        for path in (GAMES / folder).glob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if not isinstance(node, ast.Call):
                    continue
                words = {word.arg for word in node.keywords if word.arg}
                match node.func:
                    case ast.Attribute(value=ast.Name(id="events" | "common"), attr=name):
                        yield name, words
                    case ast.Name(id="left"):
                        yield "left", words


def made_by(function: ast.FunctionDef, *, given: set[str]) -> Iterator[tuple[str, set[str]]]:
    """Kinds with their fields, if callers give these keywords."""
    known = {word.arg for word in (*function.args.args, *function.args.kwonlyargs)}
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Event":
            fields = set(fields_of(node.args[1], given))
            for kind in kinds_of(node.args[0]):
                yield kind, fields | (given - known if function.args.kwarg else set())


def fields_of(payload: ast.expr, given: set[str]) -> Iterator[str]:
    if isinstance(payload, ast.IfExp):
        assert isinstance(payload.test, ast.Name)
        if payload.test.id in given:
            yield from fields_of(payload.body, given)
        yield from fields_of(payload.orelse, given)
    else:
        assert isinstance(payload, ast.Dict)
        # A key that is no constant is **more.
        yield from (str(key.value) for key in payload.keys if isinstance(key, ast.Constant))


def kinds_of(node: ast.expr) -> list[str]:
    if isinstance(node, ast.IfExp):
        return [*kinds_of(node.body), *kinds_of(node.orelse)]
    return [CONSTANTS[node.id]] if isinstance(node, ast.Name) else [ast.literal_eval(node)]


@pytest.mark.parametrize("game", MADE_IN)
def test_the_reference_has_the_events_of_the_game(game: str) -> None:
    made = of_the_code(game)
    if game == "contract":
        # Its closed deck is always shuffled (C14).
        assert {rules.restock for rules in PRESETS.values()} == {"shuffle"}
        del made["turned_over"]
    assert len(made) > 10
    assert documented(game) == made


@pytest.mark.parametrize("game", MADE_IN)
def test_every_function_that_makes_events_is_called(game: str) -> None:
    """Otherwise a call that is written otherwise would be missing in the comparison above."""
    called = {name for other in MADE_IN for name, _ in calls_of(other)}
    for folder in MADE_IN[game]:
        for node in ast.parse((GAMES / folder / "events.py").read_text()).body:
            if isinstance(node, ast.FunctionDef):
                assert node.name in called, (folder, node.name)
