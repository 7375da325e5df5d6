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
    # A type in a comment, `import("./x.js").Name`, loads nothing.
    (
        r"""(?P<matched>import\("(?P<url>[^"]+)"\)(?=[;,)]|\.then\())""",
        """import("%(url)s")""",
    ),
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
        """Save our own files as they are shipped: each page's script and sheet in one file, and minified."""
        kind = name.rpartition(".")[2]
        if name.startswith(("js/", "css/")) and _HASHED.search(name):
            put_together = self._script if kind == "js" else self._sheet
            content = _make_file(minify(put_together(name, _read_text(content)), kind))
        return super()._save(name, content)

    def _script(self, name: str, source: str) -> str:
        """Return a script. It contains the hashed names of its imports, so its own hash changes with them."""
        plain = _HASHED.sub("", name)
        if not _BUNDLES.fullmatch(plain):
            return source
        return bundle(plain, source, self._read_collected)

    def _sheet(self, name: str, source: str) -> str:
        """Return a stylesheet with its imports inlined; they are in the same folder and refer to no other files."""
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


def minify(source: str, kind: str) -> str:
    """Minify a script ("js") or a stylesheet ("css") with esbuild, where the image is built.

    Others know the exports of a script alone. Raises CalledProcessError.
    """
    program = os.environ.get("ESBUILD")
    if not program:
        return source
    options = ["--minify", f"--loader={kind}", "--log-level=warning", "--charset=utf8"]
    return subprocess.run(  # noqa: S603 - who builds the image has named it
        [program, *options], input=source, stdout=subprocess.PIPE, check=True, text=True
    ).stdout


_IMPORT: Final = re.compile(r'^import (\{[^}]*\}) from "([^"]+)";$', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_HASH: Final = re.compile(r"\.[0-9a-f]{12}(?=\.js$)")

Read = Callable[[str], str]


def bundle(name: str, source: str, read: Read) -> str:
    """Bundle the script `name` with everything that it imports; `read` returns a module's source by its name."""
    order: list[str] = []
    _add_imports(name, source, read, order)
    numbers = {module: number for number, module in enumerate(order)}
    parts = [
        f"const module${number} = (() => {{\n{_wrap_in_function(module, read(module), numbers)}\n}})();"
        for module, number in numbers.items()
    ]
    # A later import still needs the script's own exports.
    return "\n".join([*parts, _with_modules(name, source, numbers)])


def _add_imports(name: str, source: str, read: Read, order: list[str]) -> None:
    """Insert a module's imports before it."""
    for module in _list_imports(name, source):
        if module not in order:
            _add_imports(module, read(module), read, order)
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
