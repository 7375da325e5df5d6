"""Code outside a game's own folders names neither the game nor its moves, phases and piles."""

import ast
import re
from enum import StrEnum
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

from games.registry import GAMES
from tests.programs import ROOT

SCRIPTS, TEMPLATES = ROOT / "static/js", ROOT / "templates"
# Files that have to name games: the defaults of a new site, and the achievements.
BEGINNINGS = {
    "players/ranking/achievements.py",
    "tables/seating/starting_tables.py",
    "tournaments/running/starting_schedule.py",
}
# Words that are not particular to a game: `Game.leaving`, a deal's number, `table.split`, "over".
COMMON = {"leave", "deal", "split", "over"}
COMMENT = re.compile(r"/[*].*?[*]/|^[ \t]*//[^\n]*$", re.DOTALL | re.MULTILINE)
SCRIPT_TEXT = re.compile(r'"([^"\n]*)"|`([^`]*)`')


def words_of(code: str) -> set[str]:
    """Return the names of a game's moves, phases and piles."""
    game = GAMES[code]
    classes = [
        part
        # A game may use phases and moves of the engine.
        for package in (f"games.{code}", "games.engine")
        for module in walk_packages(import_module(package).__path__, f"{package}.")
        for part in vars(import_module(module.name)).values()
        if isinstance(part, type)
    ]
    kinds = {kind for part in classes if isinstance(kind := getattr(part, "kind", None), str)}
    phases = {
        member.value
        for part in classes
        if issubclass(part, StrEnum) and part.__name__ in ("Phase", "Stage")
        for member in part
    }
    rules = game.rules.preset(game.formats[0].presets[0])
    state = game.core.start(rules=rules, seats=(0, 1), toss=False, seed=bytes(32), now=0).state
    piles = {
        key for key in game.view.public(state) if re.search(r"pile|discards|closed|stock|pool", key)
    }
    assert len(kinds) > 3
    assert len(phases) > 2
    assert piles
    return (kinds | phases | piles) - COMMON


# The codes of games are left to test_a_game_is_named_only_in_its_own_folders.
WORDS = set().union(*map(words_of, GAMES)) - set(GAMES)


@cache
def texts_of_python(code: str) -> set[str]:
    return {
        node.value
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


@cache
def texts_of_script(code: str) -> set[str]:
    return {one or other for one, other in SCRIPT_TEXT.findall(COMMENT.sub("", code))}


def list_modules(*apps: str) -> list[Path]:
    paths = (path for app in apps for path in sorted((ROOT / app).rglob("*.py")))
    return [path for path in paths if "migrations" not in path.parts]


def scripts_of_the_shell() -> list[Path]:
    return [
        path
        for path in sorted(SCRIPTS.rglob("*.js"))
        # It has a "show" that is not a move.
        if not path.is_relative_to(SCRIPTS / "games") and path != SCRIPTS / "lib/ready.js"
    ]


def test_words_of_games_are_collected() -> None:
    assert {"draw", "discard", "declare", "show", "drop", "turn", "between", "open_pile"} <= WORDS


def test_no_module_above_the_games_and_no_shared_script_names_words_of_a_game() -> None:
    modules, scripts = list_modules("tables", "players", "history", "lobby"), scripts_of_the_shell()
    assert len(modules) > 120
    assert len(scripts) > 40
    named = {path: texts_of_python(path.read_text()) & WORDS for path in modules}
    named |= {path: texts_of_script(path.read_text()) & WORDS for path in scripts}
    assert {path: words for path, words in named.items() if words} == {}


@pytest.mark.parametrize("code", GAMES)
def test_every_game_has_the_same_modules(code: str) -> None:
    folder = ROOT / "games" / code
    names = {path.stem for path in folder.iterdir() if not path.name.startswith("__")}
    assert names == {"game", "rules", "view", "words", "bots", "lab", "guide", "wire"}


@pytest.mark.parametrize("code", GAMES)
def test_every_move_of_a_game_cites_its_rules(code: str) -> None:
    """Except `arrange`, since no rule book says how a player sorts a hand."""
    own = [move for move in GAMES[code].core.moves if move.__module__.startswith(f"games.{code}.")]
    unnamed = {move.kind for move in own if not re.search(r"\b[A-Z]\d+", move.__doc__ or "")}
    assert len(own) > 3
    assert unnamed <= {"arrange"}


@pytest.mark.parametrize("code", GAMES)
def test_a_game_is_named_only_in_its_own_folders(code: str) -> None:
    modules = list_modules(
        "accounts",
        "config",
        "core",
        "history",
        "lobby",
        "players",
        "tables",
        "tournaments",
        "wallet",
    )
    named = {path for path in modules if code in texts_of_python(path.read_text())}
    scripts = scripts_of_the_shell()
    named |= {path for path in scripts if code in texts_of_script(path.read_text())}
    named |= {
        path
        for path in TEMPLATES.rglob("*.html")
        if not path.is_relative_to(TEMPLATES / "games")
        if re.search(rf"games/{code}/|[\"']{code}[\"']", path.read_text())
    }
    named |= {
        path
        for path in (ROOT / "static/css").glob("*.css")
        if path.stem != f"table-{code}" and re.search(rf"--{code}\b", path.read_text())
    }
    assert {str(path.relative_to(ROOT)) for path in named} <= BEGINNINGS


@pytest.mark.parametrize(
    "planted", ['if step == "discard":', 'kinds = ("drop", "leave")', 'game["open_pile"]']
)
def test_a_planted_word_is_found(planted: str) -> None:
    code = f"{planted}\n    pass" if planted.endswith(":") else planted
    assert texts_of_python(code) & WORDS
    assert texts_of_script(planted.replace(":", "")) & WORDS
