"""The operator's texts about the site: its identity, and the pages that bind."""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

LEAST_AGE = 18
GREATEST_LEAST_AGE = 99
COLOUR = RegexValidator(r"^#[0-9a-f]{6}\Z", _("Write a colour as #0b6b4d: # and six of 0-9, a-f."))


class SiteIdentity(models.Model):
    """One row, or none: then settings say what they say."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    name = models.CharField(_("name"), max_length=40, help_text=_("Of the site, everywhere."))
    short_name = models.CharField(
        _("short name"),
        max_length=12,
        help_text=_("Below the icon on a telephone: 12 characters at most."),
    )
    company = models.CharField(
        _("company"), max_length=100, blank=True, help_text=_("Who runs it, at the end of pages.")
    )
    postal_address = models.TextField(_("postal address"), max_length=500, blank=True)
    support_email = models.EmailField(
        _("e-mail for support"), blank=True, help_text=_("Where people write who cannot sign in.")
    )
    brand_light = models.CharField(
        _("colour on light pages"),
        max_length=7,
        blank=True,
        validators=[COLOUR],
        help_text=_("Of links and buttons, as #0b6b4d. Both colours, or neither."),
    )
    brand_dark = models.CharField(
        _("colour on dark pages"), max_length=7, blank=True, validators=[COLOUR]
    )
    # A PNG, kept here so that every machine has it; the mark is what its address is made of.
    logo = models.BinaryField(null=True, blank=True)
    logo_mark = models.CharField(_("logo"), max_length=16, blank=True, editable=False)
    least_age = models.PositiveSmallIntegerField(
        _("least age"),
        default=LEAST_AGE,
        validators=[MinValueValidator(LEAST_AGE), MaxValueValidator(GREATEST_LEAST_AGE)],
        help_text=_("Of everybody who registers, in years. Regions may ask for more."),
    )

    class Meta:
        verbose_name = _("site")
        verbose_name_plural = _("site")
        db_table = "accounts_site_identity"
        constraints = [
            models.CheckConstraint(condition=Q(id=1), name="accounts_site_identity_is_one_row"),
            models.CheckConstraint(
                condition=Q(brand_light="", brand_dark="")
                | (~Q(brand_light="") & ~Q(brand_dark="")),
                name="accounts_site_identity_has_both_colours",
                violation_error_message=_("Write both colours, or neither."),
            ),
            models.CheckConstraint(
                condition=Q(logo=None, logo_mark="") | (Q(logo__isnull=False) & ~Q(logo_mark="")),
                name="accounts_site_identity_marks_its_logo",
            ),
            models.CheckConstraint(
                condition=Q(least_age__gte=LEAST_AGE, least_age__lte=GREATEST_LEAST_AGE),
                name="accounts_site_identity_is_for_adults",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class PageKind(models.TextChoices):
    """The value is also the address."""

    TERMS = "terms", _("Terms")
    PRIVACY = "privacy", _("Privacy")
    IMPRINT = "imprint", _("Imprint")
    RESPONSIBLE_PLAY = "responsible-play", _("Responsible play")


class PageVersion(models.Model):
    """A text of one of the pages that bind: a draft, or a version that was published and never changes
    again (the database refuses it)."""

    kind = models.CharField(_("page"), max_length=20, choices=PageKind)
    number = models.PositiveIntegerField(_("version"), null=True, editable=False)
    text = models.TextField(
        _("text"), max_length=100_000, help_text=_("Markdown: # headings, lists, [links](/rules/).")
    )
    text_hi = models.TextField(
        _("text in Hindi"),
        max_length=100_000,
        blank=True,
        help_text=_("Empty: everybody reads the other one."),
    )
    asks_again = models.BooleanField(
        _("players accept it anew"),
        default=True,
        help_text=_(
            "Of terms alone: players are asked at their next visit. Not for a slip of the pen."
        ),
    )
    published_at = models.DateTimeField(_("published"), null=True, editable=False)
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        null=True,
        editable=False,
        verbose_name=_("published by"),
    )

    class Meta:
        verbose_name = _("page that binds")
        verbose_name_plural = _("pages that bind")
        db_table = "accounts_page_version"
        permissions = [("publish_pageversion", "Can publish terms and other pages that bind")]
        constraints = [
            models.UniqueConstraint(fields=["kind", "number"], name="accounts_page_version_number"),
            models.UniqueConstraint(
                fields=["kind"],
                condition=Q(published_at=None),
                name="accounts_page_version_one_draft",
            ),
            models.CheckConstraint(
                condition=Q(number=None, published_at=None, published_by=None)
                | Q(number__gte=1, published_at__isnull=False, published_by__isnull=False),
                name="accounts_page_version_is_draft_or_published",
            ),
        ]

    def __str__(self) -> str:
        name = PageKind(self.kind).label
        return f"{name} {self.number}" if self.number else f"{name}: {_('draft')}"


class PageAcceptance(models.Model):
    """A player has accepted a version, once, at this moment."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("player")
    )
    version = models.ForeignKey(PageVersion, models.PROTECT, related_name="acceptances")
    accepted_at = models.DateTimeField(_("accepted"))

    class Meta:
        verbose_name = _("accepted page")
        verbose_name_plural = _("accepted pages")
        db_table = "accounts_page_acceptance"
        constraints = [
            models.UniqueConstraint(
                fields=["user", "version"], name="accounts_page_acceptance_comes_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.version_id}"
