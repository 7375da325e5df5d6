"""One script of many ES modules, so that a browser need not fetch fifty.

Nothing is built to run the site: browsers load the modules themselves, and this is done when the
files are collected for production. Each module becomes a function that returns what it exports. Our
modules are so plain that this suffices: no circles, no default exports, no stars, no names changed;
tests/config/assets/test_static.py refuses anything else.
"""

import posixpath
import re
from collections.abc import Callable, Iterator
from typing import Final

_IMPORT: Final = re.compile(r'^import (\{[^}]*\}) from "([^"]+)";$', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_HASH: Final = re.compile(r"\.[0-9a-f]{12}(?=\.js$)")

Read = Callable[[str], str]


def bundle(name: str, source: str, read: Read) -> str:
    """The script `name` with all that it imports; `read` gives a module's source by its name."""
    order: list[str] = []
    _add_imports_of(name, source, read, order)
    numbers = {module: number for number, module in enumerate(order)}
    parts = [
        f"const module${number} = (() => {{\n{_function(module, read(module), numbers)}\n}})();"
        for module, number in numbers.items()
    ]
    # What the script itself exports, a later import still takes.
    return "\n".join([*parts, _with_modules(name, source, numbers)])


def _add_imports_of(name: str, source: str, read: Read, order: list[str]) -> None:
    """Add a module's imports in front of it."""
    for module in _imports(name, source):
        if module not in order:
            _add_imports_of(module, read(module), read, order)
            order.append(module)


def _imports(name: str, source: str) -> Iterator[str]:
    for match in _IMPORT.finditer(source):
        yield _resolved(name, match[2])


def _resolved(name: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), _HASH.sub("", path)))


def _with_modules(name: str, source: str, numbers: dict[str, int]) -> str:
    return _IMPORT.sub(
        lambda match: f"const {match[1]} = module${numbers[_resolved(name, match[2])]};", source
    )


def _function(name: str, source: str, numbers: dict[str, int]) -> str:
    exports = ", ".join(_EXPORT.findall(source))
    body = _EXPORT.sub("", _with_modules(name, source, numbers)).strip()
    return f"{body}\nreturn {{ {exports} }};"
