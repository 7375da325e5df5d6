"""Static files with hashed names, including the imports between our own ES modules."""

import os
import posixpath
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from asgiref.sync import async_to_sync, sync_to_async
from django.contrib.staticfiles.finders import AppDirectoriesFinder, get_finders
from django.core.files.base import ContentFile
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from servestatic.middleware import ServeStaticMiddleware
from servestatic.storage import CompressedManifestStaticFilesStorage as Hashed

# How our modules import: each name in a pair of double quotes, each statement with its semicolon.
_IMPORTS: Final = (
    (
        r"""(?P<matched>import(?s:(?P<import>[\s{].*?))\s*from\s*"(?P<url>[./].*?)"\s*;)""",
        """import%(import)s from "%(url)s";""",
    ),
    (r"""(?P<matched>import\s*"(?P<url>[./].*?)"\s*;)""", """import"%(url)s";"""),
    (r"""(?P<matched>import\("(?P<url>.*?)"\))""", """import("%(url)s")"""),
)
_HASHED: Final = re.compile(r"\.[0-9a-f]{12}(?=\.(?:js|css)$)")
_IMPORTED_SHEET: Final = re.compile(r'@import url\("([\w-]+)\.[0-9a-f]{12}\.css"\);')
# Scripts that are bundled from many modules: each page's script; a game's table, its replay and its coach;
# the table's effects and panels; the seat dialog, and the summary after an absence.
_BUNDLES: Final = re.compile(
    r"js/(?:site|me|games/\w+/(?:main|replay/main|controllers/coach)|table/(?:effects/main|panels/(?:main|away|sit)))\.js"
)


class ModuleStorage(Hashed):  # type: ignore[misc] # untyped base
    # Rewrite the imports, or a new main.js would load old modules from the browser's cache. Only our own
    # modules: libraries have comments that look like imports.
    patterns = (*Hashed.patterns, ("js/*.js", _IMPORTS))
    # One pass for each step of the longest chain of imports (js_tests check that imports are acyclic).
    max_post_process_passes = 20

    def _save(self, name: str, content: Any) -> Any:
        """Save our own files as they are shipped: minified, and each page's script in one file."""
        if name.startswith("js/") and name.endswith(".js"):
            content = _make_file(self._script(name, minify_script(_read_text(content))))
        elif name.startswith("css/") and name.endswith(".css"):
            content = _make_file(self._sheet(name, minify_style_sheet(_read_text(content))))
        return super()._save(name, content)

    def _script(self, name: str, source: str) -> str:
        """Return a script. It contains the hashed names of its imports, so its own hash changes with them."""
        plain = _HASHED.sub("", name)
        if name == plain or not _BUNDLES.fullmatch(plain):
            return source
        return minify_whole_script(bundle(plain, source, self._read_collected))

    def _sheet(self, name: str, source: str) -> str:
        """Return a stylesheet with its imports inlined; they are in the same folder and refer to no other files."""
        if not _HASHED.search(name):
            return source
        return _IMPORTED_SHEET.sub(
            lambda sheet: self._read_collected(f"css/{sheet[1]}.css"), source
        )

    def _read_collected(self, name: str) -> str:
        """Read a collected file, before it got its hashed name."""
        with self.open(name) as file:
            return _read_text(file)


def _read_text(file: Any) -> str:
    file.seek(0)  # it may have been read for its hash
    source: bytes = file.read()
    return source.decode()


def _make_file(text: str) -> "ContentFile[bytes]":
    return ContentFile(text.encode())


class StaticFiles(ServeStaticMiddleware):  # type: ignore[misc] # untyped base
    """Serves static files without listing them first if each request looks its file up."""

    def add_files_from_finders(self) -> None:
        if not self.autorefresh:
            super().add_files_from_finders()
            return
        for finder in get_finders():
            for storage in finder.storages.values():  # type: ignore[attr-defined]
                self.insert_directory(storage.location, self.static_prefix)


def serve_static_files(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: answer requests for static files, and pass all others on.

    `StaticFiles` is asynchronous, and the middleware around it is not. If every page passed through it, it
    would change threads twice more, which costs a tenth of a small page.
    """
    files = StaticFiles(sync_to_async(get_response))
    serve: Callable[[HttpRequest], HttpResponseBase] = async_to_sync(files)

    def handle(request: HttpRequest) -> HttpResponseBase:
        if request.path_info.startswith(files.static_prefix):
            return serve(request)
        return get_response(request)

    return handle


_BLOCKS: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_LINES: Final = re.compile(r"^[ \t]*//.*$", re.MULTILINE)
_INDENTATION: Final = re.compile(r"\n\s+")
# After these characters, or before those, a line break does not end a statement.
_AFTER_OPENING: Final = re.compile(r"([,({\[])\n")
_BEFORE_CLOSING: Final = re.compile(r"\n([)\].?])")
# None of our strings contains one of these.
_SPACED: Final = re.compile(r" (=>|===|!==|&&|\|\||\?\?) |(?<=\)) (?=\{)")
# Imports and exports keep lines of their own, where static.py looks for them.
_AFTER_STATEMENT: Final = re.compile(r"^(?!import)(.*;)\n(?!import|export)", re.MULTILINE)
_AROUND_SIGNS: Final = re.compile(r"\s*([{};,])\s*")
_ZERO_BEFORE_POINT: Final = re.compile(r"(?<![\w.-])0(?=\.\d)")
_AFTER_PROPERTIES: Final = re.compile(r"(?<=[{;])([\w-]+):\s+")


def _strip_spaces(match: re.Match[str]) -> str:
    return match[1] or ""


def minify_script(source: str) -> str:
    bare = _INDENTATION.sub("\n", _LINES.sub("", _BLOCKS.sub("", source))).strip()
    tight = _BEFORE_CLOSING.sub(r"\1", _AFTER_OPENING.sub(r"\1", bare))
    return _SPACED.sub(_strip_spaces, _AFTER_STATEMENT.sub(r"\1", tight)) + "\n"


def minify_whole_script(source: str) -> str:
    """Minify a script of which others only know the exports. Raises CalledProcessError."""
    program = os.environ.get("ESBUILD")
    if not program:
        return source
    return subprocess.run(  # noqa: S603 - who builds the image has named it
        [program, "--minify", "--format=esm", "--loader=js", "--log-level=warning"],
        input=source,
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    ).stdout


def minify_style_sheet(source: str) -> str:
    tight = _AROUND_SIGNS.sub(r"\1", _BLOCKS.sub("", source))
    tight = _ZERO_BEFORE_POINT.sub("", tight)
    return _AFTER_PROPERTIES.sub(r"\1:", tight).replace(";}", "}").strip() + "\n"


_IMPORT: Final = re.compile(r'^import (\{[^}]*\}) from "([^"]+)";$', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_HASH: Final = re.compile(r"\.[0-9a-f]{12}(?=\.js$)")

Read = Callable[[str], str]


def bundle(name: str, source: str, read: Read) -> str:
    """Bundle the script `name` with everything that it imports; `read` returns a module's source by its name."""
    order: list[str] = []
    _add_imports_of(name, source, read, order)
    numbers = {module: number for number, module in enumerate(order)}
    parts = [
        f"const module${number} = (() => {{\n{_wrap_in_function(module, read(module), numbers)}\n}})();"
        for module, number in numbers.items()
    ]
    # A later import still needs the script's own exports.
    return "\n".join([*parts, _with_modules(name, source, numbers)])


def _add_imports_of(name: str, source: str, read: Read, order: list[str]) -> None:
    """Insert a module's imports before it."""
    for module in _list_imports(name, source):
        if module not in order:
            _add_imports_of(module, read(module), read, order)
            order.append(module)


def _list_imports(name: str, source: str) -> Iterator[str]:
    for match in _IMPORT.finditer(source):
        yield _resolve(name, match[2])


def _resolve(name: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), _HASH.sub("", path)))


def _with_modules(name: str, source: str, numbers: dict[str, int]) -> str:
    return _IMPORT.sub(
        lambda match: f"const {match[1]} = module${numbers[_resolve(name, match[2])]};", source
    )


def _wrap_in_function(name: str, source: str, numbers: dict[str, int]) -> str:
    exports = ", ".join(_EXPORT.findall(source))
    body = _EXPORT.sub("", _with_modules(name, source, numbers)).strip()
    return f"{body}\nreturn {{ {exports} }};"


# The Swagger UI package also contains ReDoc, five megabytes.
_LEFT_OUT = ("drf_spectacular_sidecar/redoc/*",)


class AppFiles(AppDirectoriesFinder):
    def list(self, ignore_patterns: Iterable[str] | None) -> Iterable[Any]:
        return super().list([*(ignore_patterns or ()), *_LEFT_OUT])
