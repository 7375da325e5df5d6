"""The administration's search for people, play and payments, by what staff know of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.apps import apps
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from core.values.numbers import parse_number

# Models searched by the search fields of their list, and models found by their number only.
BY_WORDS: Final = (
    "accounts.User",
    "tables.Table",
    "tournaments.Tournament",
    "wallet.Deposit",
    "wallet.Withdrawal",
    "wallet.Bonus",
    "history.SupportCase",
)
BY_NUMBER: Final = ("tables.Match", "wallet.Transfer")
SHOWN: Final = 8
LONGEST: Final = 100


@dataclass(frozen=True, slots=True)
class Hit:
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Hits:
    """The first results of a kind.

    `url` is the address of the full list with the same search, or empty if `rows` has all results.
    """

    title: str
    rows: Sequence[Hit]
    url: str


def find(site: AdminSite, request: HttpRequest, text: str) -> list[Hits]:
    """Return the results that this staff member may see: rows found by name, address, number or reference."""
    kinds = [(label, True) for label in BY_WORDS] + [(label, False) for label in BY_NUMBER]
    found = (_find_hits(site, request, label, text, by_words) for label, by_words in kinds)
    return [hits for hits in found if hits is not None]


def _find_hits(
    site: AdminSite,
    request: HttpRequest,
    label: str,
    text: str,
    by_words: bool,  # noqa: FBT001 - of this module
) -> Hits | None:
    page = site.get_model_admin(apps.get_model(label))
    if not page.has_view_permission(request):
        return None
    all_rows = page.get_queryset(request)
    number = parse_number(text)
    rows: list[Any] = []
    if number is not None:
        rows = list(all_rows.filter(pk=number))
    if by_words:
        named, doubles = page.get_search_results(request, all_rows, text)
        named = named.exclude(pk__in=[row.pk for row in rows]).order_by("-pk")
        rows += list((named.distinct() if doubles else named)[: SHOWN + 1])
    if not rows:
        return None
    options = page.opts
    name = f"admin:{options.app_label}_{options.model_name}"
    hits = [Hit(str(row), reverse(f"{name}_change", args=[row.pk])) for row in rows[:SHOWN]]
    more = reverse(f"{name}_changelist", query={"q": text}) if len(rows) > SHOWN else ""
    return Hits(str(capfirst(options.verbose_name_plural)), hits, more)


def search_page(site: AdminSite, request: HttpRequest) -> HttpResponse:
    """Show the results. If there is only one, redirect to it."""
    text = request.GET.get("q", "").strip()[:LONGEST]
    found = find(site, request, text) if text else []
    if len(found) == 1 and len(found[0].rows) == 1:
        return redirect(found[0].rows[0].url)
    context = {**site.each_context(request), "title": _("Search"), "text": text, "found": found}
    return render(request, "admin/search.html", context)
