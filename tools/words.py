"""python tools/words.py: list names in the code that mean several things, or that no other project uses.

Prints classes that several packages define under the same name, functions that end in `_of`, and functions that
begin with a verb that only this project uses. A few of each are right: a `Meta` or a `Command` is Django's name,
and `rank_of` is mathematics.

A class within a class is listed with both names: `Deposit.State`. Names in INTERFACE are the engine's own:
games/engine defines each of them for every game. A game's rules derive theirs from it, or give the same part of a
deal the same name (`Phase`), so that readers who know one game's rules find their way in another's. Such a name is
counted once for all games, and again for every package outside games/engine and the games' rules.
"""

import ast
import collections
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
APPS = (
    "accounts",
    "config",
    "core",
    "games",
    "history",
    "lobby",
    "players",
    "tables",
    "tournaments",
    "wallet",
)
# Names that a framework or the engine's interface demands of every package.
DEMANDED = {"Command", "Meta", "Media"}
INTERFACE = {
    "Arrange",
    "Course",
    "Deal",
    "Discard",
    "Draw",
    "LayOff",
    "Line",
    "Match",
    "Meld",
    "Phase",
    "Player",
}
OWN_VERBS = ("tell", "say", "hear", "hush", "note", "weigh", "tend", "look", "beat", "crown", "let")
MOST = {"classes": 12, "of": 40, "verbs": 0}


def read_modules():
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path.relative_to(ROOT), ast.parse(path.read_text())


def name_classes(node, outer=""):
    """Yield the name of each class under a node. A class within another one is preceded by the outer class's name."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield outer + child.name
            yield from name_classes(child, f"{outer}{child.name}.")
        else:
            yield from name_classes(child, outer)


def name_package(path, name):
    """Return the package of a class, or "games" for a part of the engine's interface."""
    is_rules = path.match("games/engine/*") or path.match("games/*/rules/*")
    return "games" if name in INTERFACE and is_rules else str(path.parent)


def find_names():
    """Return the packages of each class name, and by file the functions in `_of` and those with a verb of our own."""
    packages = collections.defaultdict(set)
    of, verbs = [], []
    for path, tree in read_modules():
        for name in name_classes(tree):
            if name.rpartition(".")[2] not in DEMANDED:
                packages[name].add(name_package(path, name))
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                place = f"{path}:{node.lineno} {node.name}"
                if node.name.endswith("_of"):
                    of.append(place)
                if node.name.strip("_").split("_")[0] in OWN_VERBS:
                    verbs.append(place)
    shared = [
        f"{name}: {', '.join(sorted(where))}"
        for name, where in sorted(packages.items())
        if len(where) > 1
    ]
    return {"classes": shared, "of": of, "verbs": verbs}


def main(*arguments):
    found = find_names()
    for kind, names in found.items():
        print(f"{kind}: {len(names)} (at most {MOST[kind]})")
        if "--list" in arguments:
            print(*(f"  {name}" for name in names), sep="\n")
    return int(any(len(names) > MOST[kind] for kind, names in found.items()))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
