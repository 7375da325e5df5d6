"""The site's identity and its pages that bind, read by every page: from the cache.

A change is put into the cache after its commit, under a lock and read anew, so that the last one to write
has the newest; who finds the cache empty adds what they read only if nobody else was there first. So no
page keeps an old text, in whichever process. A job does the same every minute, for a process that died in
between and for a cache that was away.
"""

from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import Max, Q

from accounts.models.regions import Region
from accounts.models.site import LEAST_AGE, PageKind, PageVersion, SiteIdentity
from accounts.models.switches import FeatureSwitch
from core.database.advisory_locks import AdvisoryLock

_KEY: Final = "site"


@dataclass(frozen=True, slots=True)
class Site:
    """`logo`: the mark in its address, empty where there is none. `pages`: kind to the number of the
    version that counts. `terms`: the version of the terms that players have to have accepted; 0: none.
    `asks_region`: whether regions have rules for cash. `off`: features that are switched off."""

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

    @property
    def links(self) -> list[tuple[str, Any]]:
        """Kind and title of the pages that are published, in their order."""
        return [(kind.value, kind.label) for kind in PageKind if kind.value in self.pages]

    @property
    def colours(self) -> str:
        """The key of the site's stylesheet; empty without colours of its own."""
        return f"{self.brand_light}{self.brand_dark}".replace("#", "")


# What this process has seen last, for pages that tell of a failure.
_seen: dict[str, Site] = {}


def site() -> Site:
    """As the newest commit has it. Without a query, but for the first one ever."""
    values = cache.get(_KEY)
    if values is None:
        read = _read()
        # Whoever has changed it meanwhile has set it already.
        cache.add(_KEY, asdict(read), None)
    else:
        read = Site(**values)
    found = _seen[_KEY] = _with_settings(read)
    return found


def seen_site() -> Site:
    """Return the site as this process last saw it, without a query."""
    return _seen.get(_KEY) or default_site()


def refresh_site() -> Site:
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [AdvisoryLock.REFRESHING_SITE])
        read = _read()
        cache.set(_KEY, asdict(read), None)
    found = _seen[_KEY] = _with_settings(read)
    return found


def site_has_changed() -> None:
    """In the transaction that changes something of it."""
    transaction.on_commit(partial(refresh_site), robust=True)


def default_site() -> Site:
    """Return the site of the settings, for error pages when nothing can be asked."""
    name = settings.SITE_NAME
    return Site(name=name, short_name=name[:12], support_email=settings.SUPPORT_EMAIL)


def _with_settings(read: Site) -> Site:
    """Fill texts that nobody has written from the settings, which the cache does not know."""
    usual = default_site()
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
