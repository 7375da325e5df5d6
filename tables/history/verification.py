"""The verdict of tools/verify_deal.py on a record, for the page that shows it.

The tool stays one file without dependencies that anybody runs alone; the page loads that file.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

from django.conf import settings


@dataclass(frozen=True, slots=True)
class Verdict:
    """`words` are the tool's own: what it dealt again, or what is wrong."""

    is_honest: bool
    words: str


def verdict_on(record: Mapping[str, Any]) -> Verdict:
    verify, dishonest = _tool()
    try:
        return Verdict(is_honest=True, words=verify(record))
    except dishonest as reason:
        return Verdict(is_honest=False, words=str(reason))


@cache
def _tool() -> tuple[Callable[[Mapping[str, Any]], str], type[Exception]]:
    spec = spec_from_file_location("verify_deal", settings.BASE_DIR / "tools/verify_deal.py")
    assert spec is not None  # noqa: S101 - the file is part of the project
    assert spec.loader is not None  # noqa: S101
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.verify, module.Dishonest
