"""python tools/words.py: names of the code that mean several things, or that no other project uses.

Prints classes that several packages define under one name, functions that end in `_of`, and functions that begin with
a verb that belongs to this project alone. Few of each are right: a `Meta` or a `Command` is Django's name, `rank_of` is
mathematics, and each game has its own `Match`, `Deal` and `Player` behind one interface.
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
OWN_VERBS = ("tell", "say", "hear", "hush", "note", "weigh", "tend", "look", "beat", "crown", "let")
MOST = {"classes": 12, "of": 40, "verbs": 0}


def read_modules():
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path.relative_to(ROOT), ast.parse(path.read_text())


def find_names():
    """Return the packages of each class name, the functions in `_of`, and those with an own verb, by file."""
    packages = collections.defaultdict(set)
    of, verbs = [], []
    for path, tree in read_modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and node.name not in DEMANDED:
                packages[node.name].add(str(path.parent))
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
