"""Finds the refusals that an operation can raise by static analysis of the sources."""

import ast
import pkgutil
from collections.abc import Iterator
from functools import cache

from tests.programs import ROOT

PACKAGES = ("accounts", "core", "history", "lobby", "players", "tables", "tournaments", "wallet")
REFUSAL, KIND = "core.refusals.Refusal", "core.refusals.RefusalKind"


@cache
def read_modules() -> dict[str, ast.Module]:
    files = [path for name in PACKAGES for path in (ROOT / name).rglob("*.py")]
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): ast.parse(
            path.read_text()
        )
        for path in files
        if "migrations" not in path.parts
    }


@cache
def read_imports(module: str) -> dict[str, str]:
    return {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(read_modules()[module])
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


@cache
def read_names() -> dict[str, tuple[str, ast.AST]]:
    """Map each dotted name of a module-level definition or method to its module and syntax node."""
    found: dict[str, tuple[str, ast.AST]] = {}
    for module, tree in read_modules().items():
        for node in tree.body:
            names = [getattr(node, "name", "")]
            if isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names = [one.id for target in targets for one in _walk_names(target)]
            for name in filter(None, names):
                found[f"{module}.{name}"] = module, node
            if isinstance(node, ast.ClassDef):
                for method in node.body:
                    if isinstance(method, ast.FunctionDef):
                        found[f"{module}.{node.name}.{method.name}"] = module, method
    return found


def _walk_names(node: ast.AST) -> Iterator[ast.Name]:
    yield from (one for one in ast.walk(node) if isinstance(one, ast.Name))


def resolve(name: str) -> str:
    """Follow a name through modules that only re-export it."""
    module, _dot, last = name.rpartition(".")
    if name in read_names() or module not in read_modules():
        return name
    passed = read_imports(module).get(last, name)
    return name if passed == name else resolve(passed)


def find_name(node: ast.AST, module: str, owner: str) -> str | None:
    if isinstance(node, ast.Name):
        if f"{module}.{node.id}" in read_names():
            return f"{module}.{node.id}"
        return resolve(read_imports(module)[node.id]) if node.id in read_imports(module) else None
    if isinstance(node, ast.Attribute):
        is_own = isinstance(node.value, ast.Name) and node.value.id == "self"
        base = owner if is_own else find_name(node.value, module, owner)
        return resolve(f"{base}.{node.attr}") if base else None
    return None


def list_referred(name: str) -> Iterator[str]:
    """Yield the names used in the body of a function or the value of a constant, but not in its signature."""
    module, node = read_names()[name]
    if isinstance(node, ast.ClassDef):
        yield f"{name}.__init__"
        return
    left: list[ast.AST] = [*getattr(node, "body", [])] or [*ast.iter_child_nodes(node)]
    while left:
        part = left.pop()
        if isinstance(part, ast.arguments):
            continue
        if isinstance(part, ast.ExceptHandler):
            left += part.body
            continue
        if found := find_name(part, module, name.rpartition(".")[0]):
            yield found
        left += ast.iter_child_nodes(part)


def is_refusal(name: str) -> bool:
    if name == REFUSAL:
        return True
    module, node = read_names().get(name, ("", None))
    if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Call):
        return find_name(node.value.func, module, "") == KIND
    bases = node.bases if isinstance(node, ast.ClassDef) else []
    return any(is_refusal(find_name(base, module, "") or "") for base in bases)


def list_reached(start: str) -> set[str]:
    """Return the codes of the refusals that a view's method can reach."""
    seen, left = {start}, [start]
    while left:
        for name in list_referred(left.pop()):
            if name in read_names() and name not in seen:
                seen.add(name)
                left.append(name)
    found = [name.rpartition(".") for name in seen - {REFUSAL} if is_refusal(name)]
    return {pkgutil.resolve_name(f"{module}:{name}").code for module, _dot, name in found}
