"""Our static files as production ships them, in a folder of one's own."""

import json
from collections.abc import Collection
from pathlib import Path

from django.core.files.storage import FileSystemStorage

from config.assets.static import ModuleStorage

SOURCES = Path(__file__).resolve().parents[1] / "static"


def ship(root: Path, sources: Collection[Path] = ()) -> Path:
    """Do with our files, or with these of them, what collectstatic does; returns the folder."""
    storage = ModuleStorage(location=str(root), base_url="/static/")
    source = FileSystemStorage(location=str(SOURCES))
    names = [
        str(path.relative_to(SOURCES)) for path in sources or SOURCES.rglob("*") if path.is_file()
    ]
    for name in names:
        with source.open(name) as file:
            storage.save(name, file)
    for name, _hashed, outcome in storage.post_process({name: (source, name) for name in names}):
        assert not isinstance(outcome, Exception), name
    return root


def find_file(root: Path, name: str) -> Path:
    """Return a file by the name that the templates give it."""
    paths: dict[str, str] = json.loads((root / "staticfiles.json").read_text())["paths"]
    return root / paths[name]
