"""Static files with hashed names, the imports inside our own ES modules included."""

import re
from typing import Any, Final

from django.core.files.base import ContentFile
from servestatic.storage import CompressedManifestStaticFilesStorage as Hashed

from config.assets import bundling, shipping

_ANY_FILE, _IMPORTS = Hashed._js_module_import_aggregation_patterns  # noqa: SLF001 - Django's name
_HASHED: Final = re.compile(r"\.[0-9a-f]{12}(?=\.(?:js|css)$)")
_IMPORTED_SHEET: Final = re.compile(r'@import url\("([\w-]+)\.[0-9a-f]{12}\.css"\);')
# Scripts that are made of many modules: those of every page; a game's table, its replay, its coach;
# what makes any table lively, what lies beside it.
_BUNDLES: Final = re.compile(
    r"js/(?:site|me|games/\w+/(?:main|replay/main|controllers/coach)|table/(?:effects|panels)/main)\.js"
)


class ModuleStorage(Hashed):  # type: ignore[misc] # untyped base
    # Without the new names in its imports a new main.js would go on loading the old modules from
    # the browser's cache. Our modules alone: libraries have comments that look like imports.
    patterns = (*Hashed.patterns, ("js/*.js", _IMPORTS))
    # One pass for each step of the longest chain of imports (they are acyclic, see js_tests).
    max_post_process_passes = 20

    def _save(self, name: str, content: Any) -> Any:
        """Save our own files as they are shipped: bare, and those of a page in one."""
        if name.startswith("js/") and name.endswith(".js"):
            content = _file(self._script(name, shipping.script(_text(content))))
        elif name.startswith("css/") and name.endswith(".css"):
            content = _file(self._sheet(name, shipping.style_sheet(_text(content))))
        return super()._save(name, content)

    def _script(self, name: str, source: str) -> str:
        """The hashed names of its imports are in the script's own hash, so it changes with them."""
        plain = _HASHED.sub("", name)
        if name == plain or not _BUNDLES.fullmatch(plain):
            return source
        return shipping.whole_script(bundling.bundle(plain, source, self._collected))

    def _sheet(self, name: str, source: str) -> str:
        """Return a sheet with its imports, which lie in the same folder and name no other files."""
        if not _HASHED.search(name):
            return source
        return _IMPORTED_SHEET.sub(lambda sheet: self._collected(f"css/{sheet[1]}.css"), source)

    def _collected(self, name: str) -> str:
        """A file as it was collected, before it got its hashed name."""
        with self.open(name) as file:
            return _text(file)


def _text(file: Any) -> str:
    file.seek(0)  # it may have been read for its hash
    source: bytes = file.read()
    return source.decode()


def _file(text: str) -> "ContentFile[bytes]":
    return ContentFile(text.encode())
