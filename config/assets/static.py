"""Static files with hashed names. With esbuild, each page's scripts and sheets are bundled into one file."""

import os
import posixpath
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from asgiref.sync import async_to_sync, sync_to_async
from django.contrib.staticfiles.finders import AppDirectoriesFinder, find, get_finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from servestatic.middleware import ServeStaticMiddleware
from servestatic.storage import CompressedManifestStaticFilesStorage as Hashed

# How our modules import: what they need at once, and what they load later. A type in a comment,
# `import("./x.js").Name`, loads nothing.
_AT_ONCE: Final = (
    r"""(?P<matched>import(?s:(?P<import>[\s{].*?))\s*from\s*"(?P<url>[./].*?)"\s*;)"""
)
_LATER: Final = r"""(?P<matched>import\("(?P<url>[^"]+)"\)(?=[;,)]|\.then\())"""

_OWN: Final = re.compile(r"js/.*\.js|css/.*\.css")
# Storage and path of a file, by the name that templates give it.
_Paths = dict[str, tuple[Any, str]]


class ModuleStorage(Hashed):  # type: ignore[misc] # untyped base
    # Rewrite the imports, or a new main.js would load old modules from the browser's cache. Only our own
    # modules: libraries have comments that look like imports.
    patterns = (
        *Hashed.patterns,
        (
            "js/*.js",
            ((_AT_ONCE, 'import%(import)s from "%(url)s";'), (_LATER, 'import("%(url)s")')),
        ),
    )
    # One pass for each step of the longest chain of imports (js_tests check that imports are acyclic).
    max_post_process_passes = 20

    def post_process(self, paths: _Paths, dry_run: bool = False, **options: Any) -> Iterator[Any]:  # noqa: FBT001, FBT002 - Django's
        program = os.environ.get("ESBUILD")
        bundled = self.bundle(program, paths) if program and not dry_run else paths
        yield from super().post_process(bundled, dry_run, **options)

    def bundle(self, program: str, paths: _Paths) -> _Paths:
        """Replace each collected script and sheet by a bundle with its static imports. Raises CalledProcessError.

        Leaves out modules that are only imported by others, because nothing loads them any more.
        """
        own = {name: source for name, source in paths.items() if _OWN.fullmatch(name)}
        scripts = {
            name: Path(storage.path(path)).read_text()
            for name, (storage, path) in own.items()
            if name.endswith(".js")
        }
        parts = {part for name, text in scripts.items() for part in _list_imports(name, text)}
        later = {found["url"] for text in scripts.values() for found in re.finditer(_LATER, text)}
        entries = own.keys() - parts
        subprocess.run(  # noqa: S603 - who builds the image has named it
            [
                program,
                *sorted(entries),
                *("--bundle", "--format=esm", "--minify", "--charset=utf8", "--log-level=warning"),
                *(f"--outdir={self.location}", "--outbase=."),
                *(f"--external:{name}" for name in ("*.woff2", *sorted(later))),
            ],
            cwd=next(storage.location for storage, _path in own.values()),
            check=True,
        )
        return {
            name: (self, name) if name in entries else source
            for name, source in paths.items()
            if name not in parts
        }


def _list_imports(name: str, source: str) -> list[str]:
    """Return the names of the modules that a script imports statically."""
    folder = posixpath.dirname(name)
    return [
        posixpath.normpath(posixpath.join(folder, found["url"]))
        for found in re.finditer(_AT_ONCE, source)
    ]


@cache
def list_modules(name: str) -> list[str]:
    """Return the names of all modules that a script imports statically, directly or not. Empty if it was bundled."""
    modules: dict[str, None] = {}
    waiting = [name]
    while waiting:
        script = waiting.pop()
        found = [one for one in _list_imports(script, _read_script(script)) if one not in modules]
        modules |= dict.fromkeys(found)
        waiting += found
    return [*modules]


def _read_script(name: str) -> str:
    """Return the text of a script as collected, or of its source where nothing was collected."""
    if isinstance(staticfiles_storage, ModuleStorage):
        return Path(staticfiles_storage.path(name)).read_text()
    return Path(find(name) or name).read_text()


class StaticFiles(ServeStaticMiddleware):  # type: ignore[misc] # untyped base
    """Serves static files. Skips listing the files at the start if every request looks up its file anyway."""

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

    `StaticFiles` is asynchronous, and the middleware around it is not. If requests for pages passed through it, each
    would switch threads two more times, which takes a tenth of the time of a small page.
    """
    files = StaticFiles(sync_to_async(get_response))
    serve: Callable[[HttpRequest], HttpResponseBase] = async_to_sync(files)

    def handle(request: HttpRequest) -> HttpResponseBase:
        if request.path_info.startswith(files.static_prefix):
            return serve(request)
        return get_response(request)

    return handle


# The Swagger UI package also contains ReDoc, five megabytes.
_LEFT_OUT = ("drf_spectacular_sidecar/redoc/*",)


class AppFiles(AppDirectoriesFinder):
    def list(self, ignore_patterns: Iterable[str] | None) -> Iterable[Any]:
        return super().list([*(ignore_patterns or ()), *_LEFT_OUT])
