"""Which files of other packages are served."""

from collections.abc import Iterable
from typing import Any

from django.contrib.staticfiles.finders import AppDirectoriesFinder

# The package with Swagger UI brings a second reader of API descriptions, five megabytes of it.
_LEFT_OUT = ("drf_spectacular_sidecar/redoc/*",)


class AppFiles(AppDirectoriesFinder):
    def list(self, ignore_patterns: Iterable[str] | None) -> Iterable[Any]:
        return super().list([*(ignore_patterns or ()), *_LEFT_OUT])
