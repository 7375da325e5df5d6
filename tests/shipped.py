"""The site's static files as production ships them, in a folder of the test."""

import json
from collections.abc import Collection, Iterable
from pathlib import Path

import pytest
from django.core.files.storage import FileSystemStorage

from config.assets.static import ModuleStorage

ESBUILD = Path(__file__).resolve().parents[1] / "node_modules/.bin/esbuild"
needs_esbuild = pytest.mark.skipif(not ESBUILD.exists(), reason="npm has installed no esbuild here")
SOURCES = Path(__file__).resolve().parents[1] / "static"


def ship(root: Path, sources: Collection[Path] = (), *, esbuild: Path | None = None) -> Path:
    """Collect our static files, or only `sources`, as collectstatic does. Return the folder.

    With `esbuild` they are bundled, as when the image is built.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ESBUILD", "" if esbuild is None else str(esbuild))
        return _collect(root, sources)


def bundle(root: Path) -> Path:
    """Bundle our scripts and sheets as when the image is built, but under their plain names. Return the folder."""
    source = FileSystemStorage(location=str(SOURCES))
    names = _list_names(SOURCES.rglob("*"))
    _storage_in(root).bundle(str(ESBUILD), {name: (source, name) for name in names})
    return root


def _storage_in(root: Path) -> ModuleStorage:
    return ModuleStorage(location=str(root), base_url="/static/")


def _list_names(sources: Iterable[Path]) -> list[str]:
    return [str(path.relative_to(SOURCES)) for path in sources if path.is_file()]


def _collect(root: Path, sources: Collection[Path]) -> Path:
    storage = _storage_in(root)
    source = FileSystemStorage(location=str(SOURCES))
    names = _list_names(sources or SOURCES.rglob("*"))
    for name in names:
        with source.open(name) as file:
            storage.save(name, file)
    for name, _hashed, outcome in storage.post_process({name: (source, name) for name in names}):
        assert not isinstance(outcome, Exception), name
    return root


def find_file(root: Path, name: str) -> Path:
    """Return the path of the collected file that templates call `name`."""
    paths: dict[str, str] = json.loads((root / "staticfiles.json").read_text())["paths"]
    return root / paths[name]
