"""The middleware that serves static files."""

from django.contrib.staticfiles.finders import get_finders
from servestatic.middleware import ServeStaticMiddleware


class StaticFiles(ServeStaticMiddleware):  # type: ignore[misc] # untyped base
    """Serve static files, without listing them first where each request looks its file up."""

    def add_files_from_finders(self) -> None:
        if not self.autorefresh:
            super().add_files_from_finders()
            return
        for finder in get_finders():
            for storage in finder.storages.values():  # type: ignore[attr-defined]
                self.insert_directory(storage.location, self.static_prefix)
