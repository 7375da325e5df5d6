"""The page of open data, and a month of it."""

from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from tables.history.open_data import month_file, months


@require_safe
def open_data(request: HttpRequest) -> HttpResponse:
    found = [(month, date.fromisoformat(f"{month}-01")) for month in months()]
    return render(request, "history/open_data.html", {"months": found})


@require_safe
@cache_control(max_age=86_400)
def open_data_month(_request: HttpRequest, month: str) -> HttpResponse:
    if month not in months():
        raise Http404
    name = f"deals-{month}.jsonl.gz"
    return HttpResponse(
        month_file(month),
        content_type="application/gzip",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
