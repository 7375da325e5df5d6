"""The site's identity and its legal pages, which every page reads from the cache.

After a change commits, one process at a time reads the rows again and fills the cache, so the newest commit
wins. A reader that finds the cache empty stores its own reading only if the cache is still empty. A job
refreshes the cache every minute, in case a process died before filling it or the cache was down.
"""

from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection, transaction
from django.db.models import Max, Q

from core.after_commit import call_after_commit
from core.database.advisory_locks import AdvisoryLock
from core.models.site import (
    LEAST_AGE,
    FeatureSwitch,
    PageKind,
    PageVersion,
    Region,
    SiteIdentity,
    SiteNumbers,
)

_KEY: Final = "site"


@dataclass(frozen=True, slots=True)
class Site:
    """The site as pages show it.

    `logo` is the hash of the logo's content that stands in its address, empty without a logo. `pages` maps each kind of
    legal page to the number of its current version. `terms` is the version that players must have accepted, 0 for none.
    `asks_region` tells whether regions have rules for cash. `off` lists the features that are off, `numbers` the
    operator's numbers (core/site/numbers.py).
    """

    name: str
    short_name: str
    company: str = ""
    postal_address: str = ""
    support_email: str = ""
    brand_light: str = ""
    brand_dark: str = ""
    logo: str = ""
    least_age: int = LEAST_AGE
    pages: dict[str, int] = field(default_factory=dict)
    terms: int = 0
    asks_region: bool = False
    off: list[str] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)

    @property
    def links(self) -> list[tuple[str, Any]]:
        """Return the kind and title of each published page, in the order of their kinds."""
        return [(kind.value, kind.label) for kind in PageKind if kind.value in self.pages]

    @property
    def colours(self) -> str:
        """Return the key of the site's stylesheet, or an empty string if the site has no colours of its own."""
        return f"{self.brand_light}{self.brand_dark}".replace("#", "")


# The last site that this process has read, for error pages.
_seen: dict[str, Site] = {}


def site() -> Site:
    """Return the site as last committed, from the cache. Queries only if the cache is empty."""
    values = cache.get(_KEY)
    if values is None:
        read = _read()
        # `add` keeps a newer value that a concurrent change has set.
        cache.add(_KEY, asdict(read), None)
    else:
        read = Site(**values)
    found = _seen[_KEY] = _with_settings(read)
    return found


def get_known_site() -> Site:
    """Return the site as last committed. While the database is away, return it as this process last read it."""
    try:
        return site()
    except DatabaseError:
        return get_seen_site()


def get_seen_site() -> Site:
    """Return the site as this process last read it, without a query."""
    return _seen.get(_KEY) or get_default_site()


def refresh_site() -> Site:
    """Read the rows again, fill the cache, and return the site. Only one process at a time does this."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [AdvisoryLock.REFRESHING_SITE])
        read = _read()
        cache.set(_KEY, asdict(read), None)
    found = _seen[_KEY] = _with_settings(read)
    return found


def refresh_site_after_commit() -> None:
    """Refresh the cache after this transaction commits. Call it in the transaction of the change."""
    call_after_commit(refresh_site)


def get_default_site() -> Site:
    """Return the site according to the settings, for error pages when nothing can be queried."""
    name = settings.SITE_NAME
    return Site(name=name, short_name=name[:12], support_email=settings.SUPPORT_EMAIL)


def _with_settings(read: Site) -> Site:
    """Fall back to settings for blank texts. The cache stores only what the operator entered."""
    usual = get_default_site()
    return replace(
        read,
        name=read.name or usual.name,
        short_name=read.short_name or usual.short_name,
        support_email=read.support_email or usual.support_email,
    )


def _read() -> Site:
    row = SiteIdentity.objects.defer("logo").first()
    published = PageVersion.objects.filter(published_at__isnull=False).values("kind")
    numbers = {
        one["kind"]: (one["newest"], one["asked"] or 0)
        for one in published.annotate(
            newest=Max("number"), asked=Max("number", filter=Q(asks_again=True))
        )
    }
    pages = {kind: newest for kind, (newest, _asked) in numbers.items()}
    _newest, terms = numbers.get(PageKind.TERMS, (0, 0))
    switches = FeatureSwitch.objects.filter(is_on=False)
    shared: dict[str, Any] = {
        "pages": pages,
        "terms": terms,
        "asks_region": Region.objects.exists(),
        "off": [*switches.values_list("feature", flat=True).order_by("feature")],
        "numbers": SiteNumbers.objects.values_list("values", flat=True).first() or {},
    }
    if row is None:
        return Site(name="", short_name="", **shared)
    return Site(
        name=row.name,
        short_name=row.short_name,
        company=row.company,
        postal_address=row.postal_address,
        support_email=row.support_email,
        brand_light=row.brand_light,
        brand_dark=row.brand_dark,
        logo=row.logo_mark,
        least_age=row.least_age,
        **shared,
    )


def find_logo(mark: str) -> bytes | None:
    """Return the PNG of the logo whose hash is `mark` (`Site.logo`), or None if it is not the site's current logo."""
    row = SiteIdentity.objects.filter(logo_mark=mark).exclude(logo=None).only("logo").first()
    return None if row is None else bytes(row.logo or b"")
