"""The pages that search engines may list, for /sitemap.xml."""

from typing import Any

from django.contrib.sitemaps import Sitemap
from django.urls import reverse

from config.documents.library import list_documents
from core.site.content import site
from tables.catalog import list_offered_games


class PublicPages(Sitemap):  # type: ignore[type-arg] # not generic at run time
    """Rules, lessons, lists and documents: pages that are the same for everybody."""

    def items(self) -> list[str]:
        games = list_offered_games()
        formats = [(code, one.code.lower()) for code, game in games.items() for one in game.formats]
        return [
            *(reverse(name) for name in ("lobby", "rules", "learn", "leaderboards", "documents")),
            reverse("tournaments:list"),
            *(reverse("rules_of", args=[code]) for code in games),
            *(reverse("rules_of_format", args=names) for names in formats),
            *(reverse("learn_game", args=[code]) for code, game in games.items() if game.lesson),
            *(reverse("document", args=[one.slug]) for one in list_documents().values()),
            *(reverse("site_page", args=[kind]) for kind, _title in site().links),
        ]

    def location(self, item: str) -> str:
        return item


SITEMAPS: dict[str, Any] = {"pages": PublicPages}
