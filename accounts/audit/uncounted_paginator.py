"""Pages of long lists: nobody counts ten million rows to show a hundred."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator

if TYPE_CHECKING:
    from django.db.models import QuerySet

# To look for something older, staff narrow the list by a filter or a date.
PAGES = 100


class PagesWithoutCount(Paginator):  # type: ignore[type-arg] # not generic at run time
    """Counts at most PAGES pages, in a statement that stops there."""

    @cached_property
    def count(self) -> int:
        rows: QuerySet[Any] = self.object_list  # type: ignore[assignment] # the administration's
        return rows[: PAGES * self.per_page].count()
