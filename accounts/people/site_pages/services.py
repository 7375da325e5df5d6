"""Publishing a page that binds, and accepting it."""

from django.db import transaction
from django.utils import timezone

from accounts.models.statements import PageAcceptance
from accounts.people.site_pages.selectors import versions_of
from accounts.refusals import PageIsPublished, TermsHaveChanged
from core.models.site import PageKind, PageVersion
from core.site.content import site_has_changed

# What registering accepts; a newer version is asked for of terms alone.
ACCEPTED_AT_REGISTRATION = (PageKind.TERMS, PageKind.PRIVACY)


def publish(*, version_id: int, staff_id: int) -> PageVersion:
    """The draft is the newest version from now on. Raises PageIsPublished."""
    with transaction.atomic():
        draft = PageVersion.objects.select_for_update().get(pk=version_id)
        if draft.published_at is not None:
            raise PageIsPublished
        newest = versions_of(draft.kind).first()
        draft.number = 1 if newest is None else (newest.number or 0) + 1
        draft.published_at = timezone.now()
        draft.published_by_id = staff_id
        draft.save(update_fields=["number", "published_at", "published_by"])
        site_has_changed()
    return draft


def accept_pages(*, user_id: int, terms: int) -> None:
    """At registration: the terms in the version that the player was shown, and the other pages in their
    newest. Raises TermsHaveChanged if another version of the terms counts by now."""
    newest = [versions_of(kind).first() for kind in ACCEPTED_AT_REGISTRATION]
    _accept(user_id, terms, [version for version in newest if version is not None])


def accept_terms(*, user_id: int, number: int) -> None:
    """Again is no harm. Raises TermsHaveChanged if another version counts by now."""
    newest = versions_of(PageKind.TERMS).first()
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
