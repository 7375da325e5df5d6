"""The needs of a new site. Each is checked against the facts, or against trials and decisions of staff."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from config.desk.second_factors import count_staff
from config.desk.setup.checks import Seen, SiteCheck, Words
from config.desk.setup.mail import TRIED, name_server, sends_mail
from config.desk.setup.notes import PUT_AWAY, read_notes
from core.administration.backups import BACKUP_IS_LATE_AFTER, get_last_backup
from core.administration.lists import format_moment
from core.models.site import PageKind, PageVersion, SiteIdentity
from core.site.content import site
from tables.models import TableTemplate
from tournaments.models import TournamentTemplate
from wallet.api import cash_is_on
from wallet.models import FeeSchedule, TaxRule, WithdrawalPolicy

MAY_CHANGE_SITE: Final = "core.change_siteidentity"


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the page. `is_declined` means that staff have decided that the site does not need what is checked."""

    check: SiteCheck
    seen: Seen
    is_declined: bool

    @property
    def is_done(self) -> bool:
        return self.seen.is_good or self.is_declined

    @property
    def to_do(self) -> Words:
        return self.seen.to_do or self.check.to_do

    @property
    def url(self) -> str:
        return self.check.find_page()


def list_rows(user: User | AnonymousUser, now: datetime) -> list[Row]:
    """Return the lines of the page that this staff member may act on."""
    notes = read_notes()
    return [
        Row(check, check.inspect(now), bool(check.decline) and check.code in notes)
        for check in CHECKS
        if check.is_needed() and user.has_perm(check.permission)
    ]


def is_put_away() -> bool:
    return PUT_AWAY in read_notes()


def _simple(is_good: Callable[[], bool]) -> Callable[[datetime], Seen]:
    return lambda _moment: Seen(is_good())


def _is_published(kind: PageKind) -> Callable[[datetime], Seen]:
    published = {"kind": kind, "published_at__isnull": False}
    return _simple(lambda: PageVersion.objects.filter(**published).exists())


def _find_page_of(kind: PageKind) -> Callable[[], str]:
    """Return a function that finds the address where staff edit the draft of this legal page.

    If there is no draft, the function returns the address of the form for a new one.
    """

    def find() -> str:
        draft = PageVersion.objects.filter(kind=kind, published_at=None).values_list(
            "pk", flat=True
        )
        if pk := draft.first():
            return reverse("admin:core_pageversion_change", args=[pk])
        return f"{reverse('admin:core_pageversion_add')}?kind={kind.value}"

    return find


def _find_page_of_site() -> str:
    if SiteIdentity.objects.exists():
        return reverse("admin:core_siteidentity_change", args=[1])
    return reverse("admin:core_siteidentity_add")


def _list_page(model: str) -> Callable[[], str]:
    return lambda: reverse(f"admin:{model}_changelist")


def _document(slug: str, heading: str = "") -> Callable[[], str]:
    return lambda: reverse("document", args=[slug]) + (f"#{heading}" if heading else "")


def _check_mail(_moment: datetime) -> Seen:
    server = name_server()
    if not sends_mail():
        return Seen(
            is_good=False,
            fact=server,
            to_do=_(
                "Set EMAIL_HOST and a DEFAULT_FROM_EMAIL with an address of your own, then restart."
            ),
        )
    return Seen(is_good=read_notes().get(TRIED) == server, fact=server)


def _check_alarms(_moment: datetime) -> Seen:
    # Show only the host: the rest of such an address often contains a key.
    host = urlsplit(settings.ALERT_WEBHOOK_URL).hostname
    named = [*settings.ALERT_EMAILS, *filter(None, [host])]
    return Seen(bool(named), ", ".join(named))


def _check_staff(_moment: datetime) -> Seen:
    number, without = count_staff()
    if number < 2:  # noqa: PLR2004 - two pairs of eyes
        return Seen(is_good=False)
    if not settings.ADMIN_MFA_REQUIRED:
        to_do = _("Set ADMIN_MFA_REQUIRED=1, so that a stolen password alone opens nothing.")
        return Seen(is_good=False, fact="ADMIN_MFA_REQUIRED=0", to_do=to_do)
    if without:
        fact = _("%(number)s without a second factor") % {"number": without}
        to_do = _(
            "Ask these members of staff to sign in to the administration: it asks "
            "them to set up a second factor."
        )
        return Seen(is_good=False, fact=fact, to_do=to_do)
    return Seen(is_good=True, fact=str(number))


def _check_payments(_moment: datetime) -> Seen:
    names = [name.rpartition(".")[2] for name in settings.PAYMENT_PROVIDERS]
    return Seen(cash_is_on() and bool(names), ", ".join(names) if cash_is_on() else "")


def _check_fees(now: datetime) -> Seen:
    not_over = Q(valid_until=None) | Q(valid_until__gt=now)
    return Seen(FeeSchedule.objects.filter(not_over, valid_from__lte=now).exists())


def _check_backups(now: datetime) -> Seen:
    last = get_last_backup()
    if last is None:
        return Seen(is_good=False)
    fact = format_moment(last.made_at)
    if now - last.made_at > BACKUP_IS_LATE_AFTER:
        to_do = _(
            "The newest backup was not made last night: find out why deploy/backup.sh did not run."
        )
        return Seen(is_good=False, fact=fact, to_do=to_do)
    if last.checked_at is None:
        to_do = _("Run deploy/backup.sh check: it proves that the newest backup can be restored.")
        return Seen(is_good=False, fact=fact, to_do=to_do)
    return Seen(is_good=True, fact=fact)


CHECKS: Final[Sequence[SiteCheck]] = (
    SiteCheck(
        "name",
        _("Name, company and address of the site"),
        _(
            "Enter your site's name, your company and its postal address: every page and "
            "e-mail shows them."
        ),
        _simple(
            lambda: SiteIdentity.objects.exclude(company="").exclude(postal_address="").exists()
        ),
        permission=MAY_CHANGE_SITE,
        find_page=_find_page_of_site,
    ),
    SiteCheck(
        "look",
        _("Logo and colours"),
        _(
            "Give your site its logo, a PNG of 512 by 512 pixels, and one colour each "
            "for light and dark pages."
        ),
        _simple(
            lambda: SiteIdentity.objects.exclude(logo_mark="").exclude(brand_light="").exists()
        ),
        permission=MAY_CHANGE_SITE,
        find_page=_find_page_of_site,
        decline=_("Keep the usual look"),
    ),
    SiteCheck(
        "support",
        _("Address for support"),
        _("Enter the address for people who cannot sign in."),
        lambda _moment: Seen(bool(site().support_email), site().support_email),
        permission=MAY_CHANGE_SITE,
        find_page=_find_page_of_site,
    ),
    SiteCheck(
        "terms",
        _("Terms published"),
        _(
            "Read the sample, adapt it to your site and publish it: players accept it when "
            "they register."
        ),
        _is_published(PageKind.TERMS),
        permission="core.publish_pageversion",
        find_page=_find_page_of(PageKind.TERMS),
    ),
    SiteCheck(
        "privacy",
        _("Privacy policy published"),
        _("Say which data you keep and for how long, and publish it."),
        _is_published(PageKind.PRIVACY),
        permission="core.publish_pageversion",
        find_page=_find_page_of(PageKind.PRIVACY),
    ),
    SiteCheck(
        TRIED,
        _("E-mail is sent from your own address"),
        _("Send yourself a test e-mail: this line is done when your mail server has accepted it."),
        _check_mail,
        permission=MAY_CHANGE_SITE,
        find_page=_document("settings", "mail-alerts-and-monitoring"),
    ),
    SiteCheck(
        "alerts",
        _("Alerts reach somebody"),
        _(
            "Set ALERT_EMAILS or ALERT_WEBHOOK_URL, so that you hear of a problem before "
            "your players do."
        ),
        _check_alarms,
        permission=MAY_CHANGE_SITE,
        find_page=_document("settings", "mail-alerts-and-monitoring"),
    ),
    SiteCheck(
        "payments",
        _("A payment provider"),
        _("Set CASH_PLAY and PAYMENT_PROVIDERS, or decide that your site plays only for chips."),
        _check_payments,
        permission="wallet.add_providerchoice",
        find_page=_document("settings", "razorpay"),
        decline=_("Play only for chips"),
    ),
    SiteCheck(
        "withdrawals",
        _("Withdrawal rules"),
        _("Set how much may be withdrawn, and from which amount two people must approve."),
        lambda now: Seen(WithdrawalPolicy.objects.filter(valid_from__lte=now).exists()),
        is_needed=cash_is_on,
        permission="wallet.add_withdrawalpolicy",
        find_page=_list_page("wallet_withdrawalpolicy"),
    ),
    SiteCheck(
        "tax",
        _("Tax rules"),
        _("Add the tax that you deduct from winnings when they are paid out."),
        lambda now: Seen(TaxRule.objects.filter(valid_from__lte=timezone.localdate(now)).exists()),
        is_needed=cash_is_on,
        permission="wallet.add_taxrule",
        find_page=_list_page("wallet_taxrule"),
    ),
    SiteCheck(
        "fees",
        _("Service fees"),
        _("Set a fee for each format that you offer: without a fee no table opens."),
        _check_fees,
        permission="wallet.add_feeschedule",
        find_page=_list_page("wallet_feeschedule"),
    ),
    SiteCheck(
        "tables",
        _("The first tables"),
        _("Open at least one template of tables: the lobby offers what is open."),
        _simple(lambda: TableTemplate.objects.filter(is_open=True).exists()),
        permission="tables.add_tabletemplate",
        find_page=_list_page("tables_tabletemplate"),
    ),
    SiteCheck(
        "tournaments",
        _("The first tournaments"),
        _("Open a template with a schedule, so that a tournament appears in the calendar."),
        _simple(
            lambda: TournamentTemplate.objects.filter(is_open=True).exclude(schedule="").exists()
        ),
        permission="tournaments.add_tournamenttemplate",
        find_page=_list_page("tournaments_tournamenttemplate"),
        decline=_("No tournaments for now"),
    ),
    SiteCheck(
        "staff",
        _("A second member of the staff, and second factors"),
        _(
            "Give a second person a role: large withdrawals need two people, and one of "
            "them may be ill."
        ),
        _check_staff,
        permission="accounts.change_user",
        find_page=_document("tasks/role"),
    ),
    SiteCheck(
        "backups",
        _("A backup was made and restored to check it"),
        _("Set up the nightly backup as the document says; its first run will show here."),
        _check_backups,
        permission=MAY_CHANGE_SITE,
        find_page=_document("restore"),
        decline=_("The database's host makes the backups"),
    ),
)

# Any of them opens the page.
SETUP_PERMISSIONS: Final = tuple(sorted({check.permission for check in CHECKS}))
