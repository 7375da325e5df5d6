from accounts.models.site import SiteIdentity


def logo_of(mark: str) -> bytes | None:
    """The PNG with this mark, if it is the site's."""
    row = SiteIdentity.objects.filter(logo_mark=mark).exclude(logo=None).only("logo").first()
    return None if row is None else bytes(row.logo or b"")
