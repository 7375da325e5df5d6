"""The legal pages: publishing, acceptance by players, and rendering."""

from functools import cache
from pathlib import Path
from typing import Final

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from accounts.models.identity import PageAcceptance
from accounts.refusals import PAGE_IS_PUBLISHED, TermsHaveChanged
from core.models.site import PageKind, PageVersion
from core.refusals import Refusal
from core.site.content import refresh_site_after_commit, site

_SAMPLES: Final = Path(__file__).parent / "samples"


def list_versions(kind: str) -> QuerySet[PageVersion]:
    """Return the published versions of a page, newest first."""
    published = PageVersion.objects.filter(kind=kind, published_at__isnull=False)
    return published.order_by("-number")


def read_sample(kind: str) -> str:
    """Return the sample text for a page of this kind, or an empty string if there is none."""
    path = _SAMPLES / f"{kind}.md"
    if kind not in PageKind.values or not path.exists():
        return ""
    own = site()
    text = path.read_text("utf-8")
    return text.replace("{site}", own.name).replace("{least_age}", str(own.least_age))


def get_text(version: PageVersion) -> str:
    """Return the version's text in the reader's language, or in the site's default language without a translation."""
    if version.get_deferred_fields():
        version.refresh_from_db(fields=["text", "words"])  # one query for both
    return version.said("text")


def get_accepted_terms(user_id: int) -> int:
    """Return the number of the newest version of the terms that the player has accepted, or 0."""
    accepted = PageAcceptance.objects.filter(user_id=user_id, version__kind=PageKind.TERMS)
    return accepted.aggregate(newest=Max("version__number"))["newest"] or 0


# Players accept these by registering; later, only newer terms ask them again.
ACCEPTED_AT_REGISTRATION = (PageKind.TERMS, PageKind.PRIVACY)


def publish(*, version_id: int, staff_id: int) -> PageVersion:
    """Publish a draft as the newest version. Raises PAGE_IS_PUBLISHED."""
    with transaction.atomic():
        draft = PageVersion.objects.select_for_update().get(pk=version_id)
        if draft.published_at is not None:
            raise Refusal(PAGE_IS_PUBLISHED)
        newest = list_versions(draft.kind).first()
        draft.number = 1 if newest is None else (newest.number or 0) + 1
        draft.published_at = timezone.now()
        draft.published_by_id = staff_id
        draft.save(update_fields=["number", "published_at", "published_by"])
        refresh_site_after_commit()
    return draft


def accept_pages(*, user_id: int, terms: int) -> None:
    """Record at registration that the user accepts the terms and the newest versions of the other pages.

    `terms` is the number of the version that the user was shown. Raises TermsHaveChanged if a newer one has been
    published.
    """
    newest = [list_versions(kind).first() for kind in ACCEPTED_AT_REGISTRATION]
    _accept(user_id, terms, [version for version in newest if version is not None])


def accept_terms(*, user_id: int, number: int) -> None:
    """Record that the player accepts the terms; a repeated call changes nothing.

    Raises TermsHaveChanged for an old version.
    """
    newest = list_versions(PageKind.TERMS).first()
    _accept(user_id, number, [] if newest is None else [newest])


@transaction.atomic
def _accept(user_id: int, terms: int, versions: list[PageVersion]) -> None:
    counting = {version.kind: version.number for version in versions}
    if counting.get(PageKind.TERMS, 0) != terms:
        raise TermsHaveChanged
    now = timezone.now()
    PageAcceptance.objects.bulk_create(
        [PageAcceptance(user_id=user_id, version=version, accepted_at=now) for version in versions],
        ignore_conflicts=True,
    )


_SMALLEST: Final = 6


def render_html(text: str) -> SafeString:
    """Render Markdown written by staff. Raw HTML and links that would run scripts become text, images become links."""
    parser = _build_parser()
    tokens = parser.parse(text)
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            # Headings move down one level, because the page has its own title above them.
            token.tag = f"h{min(int(token.tag[1]) + 1, _SMALLEST)}"
    # Raw HTML is shown as text, and markdown-it drops links such as javascript:.
    html: str = parser.renderer.render(tokens, parser.options, {})
    return mark_safe(html)  # noqa: S308


@cache
def _build_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    parser.add_render_rule("table_open", _open_table)
    parser.add_render_rule("table_close", _close_table)
    return parser


def _open_table(_self: object, *_arguments: object) -> str:
    return '<div class="table-scroll" tabindex="0" role="group"><table class="data-table">\n'


def _close_table(_self: object, *_arguments: object) -> str:
    return "</table></div>\n"
