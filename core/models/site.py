"""The operator's texts about the site: its identity, and the legal pages."""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from core.database.translated_texts import InLanguages

LEAST_AGE = 18
GREATEST_LEAST_AGE = 99
COLOUR = RegexValidator(
    r"^#[0-9a-f]{6}\Z", _("Enter a colour such as #0b6b4d: a # and six digits of 0-9, a-f.")
)


class SiteIdentity(models.Model):
    """The site's identity. There is at most one row; without it the settings apply."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    name = models.CharField(
        _("name"), max_length=40, help_text=_("The site's name, as every page and e-mail shows it.")
    )
    short_name = models.CharField(
        _("short name"),
        max_length=12,
        help_text=_("Shown below the icon on a phone: 12 characters at most."),
    )
    company = models.CharField(
        _("company"),
        max_length=100,
        blank=True,
        help_text=_("The operator, named at the end of each page."),
    )
    postal_address = models.TextField(_("postal address"), max_length=500, blank=True)
    support_email = models.EmailField(
        _("e-mail for support"),
        blank=True,
        help_text=_("The address for people who cannot sign in."),
    )
    brand_light = models.CharField(
        _("colour on light pages"),
        max_length=7,
        blank=True,
        validators=[COLOUR],
        help_text=_(
            "The colour of links and buttons, such as #0b6b4d. Set both colours, or neither."
        ),
    )
    brand_dark = models.CharField(
        _("colour on dark pages"), max_length=7, blank=True, validators=[COLOUR]
    )
    # A PNG, stored here so that every machine has it; its address is made of the mark.
    logo = models.BinaryField(null=True, blank=True)
    logo_mark = models.CharField(_("logo"), max_length=16, blank=True, editable=False)
    least_age = models.PositiveSmallIntegerField(
        _("minimum age"),
        default=LEAST_AGE,
        validators=[MinValueValidator(LEAST_AGE), MaxValueValidator(GREATEST_LEAST_AGE)],
        help_text=_("The age for registering, in years. Regions may ask for more."),
    )

    class Meta:
        verbose_name = _("site")
        verbose_name_plural = _("site")
        db_table = "core_site_identity"
        constraints = [
            models.CheckConstraint(condition=Q(id=1), name="core_site_identity_is_one_row"),
            models.CheckConstraint(
                condition=Q(brand_light="", brand_dark="")
                | (~Q(brand_light="") & ~Q(brand_dark="")),
                name="core_site_identity_has_both_colours",
                violation_error_message=_("Set both colours, or neither."),
            ),
            models.CheckConstraint(
                condition=Q(logo=None, logo_mark="") | (Q(logo__isnull=False) & ~Q(logo_mark="")),
                name="core_site_identity_marks_its_logo",
            ),
            models.CheckConstraint(
                condition=Q(least_age__gte=LEAST_AGE, least_age__lte=GREATEST_LEAST_AGE),
                name="core_site_identity_is_for_adults",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class SiteNumbers(models.Model):
    """Numbers that the operator has set, by the names of the settings that they replace. There is at most one row."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    values = models.JSONField(_("values"), default=dict, blank=True)

    class Meta:
        verbose_name = _("limits and amounts")
        verbose_name_plural = _("limits and amounts")
        constraints = [
            models.CheckConstraint(condition=Q(id=1), name="core_site_numbers_are_one_row")
        ]

    def __str__(self) -> str:
        return str(self._meta.verbose_name)


class PageKind(models.TextChoices):
    """A kind of legal page. Its value is also the page's address."""

    TERMS = "terms", _("Terms")
    PRIVACY = "privacy", _("Privacy")
    IMPRINT = "imprint", _("Imprint")
    RESPONSIBLE_PLAY = "responsible-play", _("Responsible play")


class PageVersion(InLanguages):
    """A version of a legal page: a draft, or published. The database refuses changes to published versions."""

    worded = ("text",)

    kind = models.CharField(_("page"), max_length=20, choices=PageKind)
    number = models.PositiveIntegerField(_("version"), null=True, editable=False)
    text = models.TextField(
        _("text"), max_length=100_000, help_text=_("Markdown: # headings, lists, [links](/rules/).")
    )
    asks_again = models.BooleanField(
        _("players must accept it again"),
        default=True,
        help_text=_(
            "For terms only: players are asked at their next visit. Leave it off if you "
            "only corrected a typing error."
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
        verbose_name = _("version of terms or a policy")
        verbose_name_plural = _("terms and policies")
        db_table = "core_page_version"
        permissions = [("publish_pageversion", "Can publish terms and other pages that bind")]
        constraints = [
            models.UniqueConstraint(fields=["kind", "number"], name="core_page_version_number"),
            models.UniqueConstraint(
                fields=["kind"],
                condition=Q(published_at=None),
                name="core_page_version_one_draft",
            ),
            models.CheckConstraint(
                condition=Q(number=None, published_at=None, published_by=None)
                | Q(number__gte=1, published_at__isnull=False, published_by__isnull=False),
                name="core_page_version_is_draft_or_published",
            ),
        ]

    def __str__(self) -> str:
        name = PageKind(self.kind).label
        return f"{name} {self.number}" if self.number else f"{name}: {_('draft')}"


class Region(InLanguages):
    """A region with its own law. If there is no row at all, nobody is asked for a region."""

    code = models.CharField(
        _("code"),
        max_length=6,
        unique=True,
        validators=[
            RegexValidator(r"^[A-Z]{2}(-[A-Z0-9]{1,3})?\Z", _("Enter a code such as IN-TG."))
        ],
        help_text=_("The ISO 3166-2 code, such as IN-TG."),
    )
    name = models.CharField(_("name"), max_length=60)
    cash_is_refused = models.BooleanField(
        _("no cash"),
        default=False,
        help_text=_(
            "Players who live there can neither deposit cash nor play for it. "
            "They can still withdraw winnings."
        ),
    )
    least_age = models.PositiveSmallIntegerField(
        _("minimum age"),
        default=LEAST_AGE,
        validators=[MinValueValidator(LEAST_AGE), MaxValueValidator(GREATEST_LEAST_AGE)],
        help_text=_(
            "The age for cash play, in years. If it is higher than the site's, players "
            "need an approved identity before they can play for cash."
        ),
    )

    class Meta:
        verbose_name = _("region")
        verbose_name_plural = _("regions")
        ordering = ("name",)
        constraints = [
            models.CheckConstraint(
                condition=Q(least_age__gte=LEAST_AGE, least_age__lte=GREATEST_LEAST_AGE),
                name="core_region_is_for_adults",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class FeatureSwitch(models.Model):
    """The switch of a feature. Missing rows are created after every migration."""

    feature = models.CharField(_("part of the site"), max_length=40, unique=True)
    is_on = models.BooleanField(_("on"), default=True)

    class Meta:
        verbose_name = _("switch")
        verbose_name_plural = _("switches")
        db_table = "core_feature_switch"

    def __str__(self) -> str:
        return self.feature


LONGEST_TEXT = 300


class SiteNotice(InLanguages):
    """An announcement that is shown from one moment to another.

    With `play_stops_at` it announces maintenance: from then until the announcement ends, no new match or tournament
    begins. Running ones are played to their end.
    """

    worded = ("text",)

    text = models.CharField(_("text"), max_length=LONGEST_TEXT)
    is_urgent = models.BooleanField(
        _("urgent"), default=False, help_text=_("The announcement stands out from the others.")
    )
    shown_from = models.DateTimeField(_("shown from"))
    shown_until = models.DateTimeField(
        _("shown until"),
        null=True,
        blank=True,
        help_text=_("If empty, it is shown until you set a time."),
    )
    play_stops_at = models.DateTimeField(
        _("play stops at"),
        null=True,
        blank=True,
        help_text=_(
            "Maintenance: from this time until the announcement ends, no new match "
            "begins. Show the announcement well before, so that players know. If empty, "
            "play goes on."
        ),
    )

    class Meta:
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")
        constraints = [
            models.CheckConstraint(
                condition=Q(shown_until=None) | Q(shown_until__gt=F("shown_from")),
                name="core_site_notice_ends_after_it_begins",
                violation_error_message=_("The end must be later than the beginning."),
            ),
            models.CheckConstraint(
                condition=Q(play_stops_at=None)
                | Q(play_stops_at__gte=F("shown_from"), shown_until=None)
                | Q(play_stops_at__gte=F("shown_from"), shown_until__gt=F("play_stops_at")),
                name="core_site_notice_stops_play_while_it_is_shown",
                violation_error_message=_(
                    "Play can stop only while the announcement is shown, not before."
                ),
            ),
        ]

    def __str__(self) -> str:
        return self.text[:60]
