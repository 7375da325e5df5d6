"""The check list of a new site on the administration's first page: what is done is seen in the facts.

Backups are not in it: the database's host may make them, unseen from here, and the list would never end.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from core.models.site import PageKind, PageVersion, SiteIdentity
from tables.models import TableTemplate
from wallet.api import cash_is_on
from wallet.models import FeeSchedule, TaxRule, WithdrawalPolicy


@dataclass(frozen=True, slots=True)
class FirstStep:
    """Something that a new site needs, for staff with a permission. `find_page` returns where it is done."""

    title: str | Promise
    permission: str
    is_done: Callable[[], bool]
    find_page: Callable[[], str]
    is_of_cash: bool = False


@dataclass(frozen=True, slots=True)
class ShownStep:
    title: str | Promise
    is_done: bool
    url: str


def list_first_steps(user: User | AnonymousUser) -> list[ShownStep]:
    """Return the steps that this staff member may take, or none once all of them are done."""
    steps = [
        (step, step.is_done())
        for step in STEPS
        if user.has_perm(step.permission) and (cash_is_on() or not step.is_of_cash)
    ]
    if all(is_done for _step, is_done in steps):
        return []
    return [ShownStep(step.title, is_done, step.find_page()) for step, is_done in steps]


def _sends_mail() -> bool:
    """Return whether mail leaves this machine under an address of the operator's own."""
    if not settings.EMAIL_BACKEND.endswith("smtp.EmailBackend"):
        return False
    return not settings.DEFAULT_FROM_EMAIL.rstrip(">").endswith("@localhost")


def _is_published(kind: PageKind) -> bool:
    return PageVersion.objects.filter(kind=kind, published_at__isnull=False).exists()


def _find_page(kind: PageKind) -> str:
    """Return the page of the draft, or that on which one begins."""
    draft = PageVersion.objects.filter(kind=kind, published_at=None).values_list("pk", flat=True)
    if pk := draft.first():
        return reverse("admin:core_pageversion_change", args=[pk])
    return f"{reverse('admin:core_pageversion_add')}?kind={kind.value}"


def _find_page_of_site() -> str:
    if SiteIdentity.objects.exists():
        return reverse("admin:core_siteidentity_change", args=[1])
    return reverse("admin:core_siteidentity_add")


def _list_page(model: str) -> Callable[[], str]:
    return lambda: reverse(f"admin:{model}_changelist")


def _document(slug: str, heading: str) -> Callable[[], str]:
    return lambda: f"{reverse('document', args=[slug])}#{heading}"


STEPS: Final = (
    FirstStep(
        _("Name, company and address of the site"),
        "core.change_siteidentity",
        lambda: SiteIdentity.objects.exclude(company="").exists(),
        _find_page_of_site,
    ),
    FirstStep(
        _("Terms published"),
        "core.publish_pageversion",
        lambda: _is_published(PageKind.TERMS),
        lambda: _find_page(PageKind.TERMS),
    ),
    FirstStep(
        _("Privacy policy published"),
        "core.publish_pageversion",
        lambda: _is_published(PageKind.PRIVACY),
        lambda: _find_page(PageKind.PRIVACY),
    ),
    FirstStep(
        _("Service fees"),
        "wallet.add_feeschedule",
        FeeSchedule.objects.exists,
        _list_page("wallet_feeschedule"),
    ),
    FirstStep(
        _("The first tables"),
        "tables.add_tabletemplate",
        lambda: TableTemplate.objects.filter(is_open=True).exists(),
        _list_page("tables_tabletemplate"),
    ),
    FirstStep(
        _("A second member of the staff"),
        "accounts.change_user",
        lambda: User.objects.filter(is_staff=True, is_active=True).count() > 1,
        _list_page("accounts_user"),
    ),
    FirstStep(
        _("Mail is sent under your own address"),
        "core.change_siteidentity",
        _sends_mail,
        _document("settings", "mail-alerts-and-monitoring"),
    ),
    FirstStep(
        _("Alerts reach somebody"),
        "core.change_siteidentity",
        lambda: bool(settings.ALERT_EMAILS or settings.ALERT_WEBHOOK_URL),
        _document("settings", "mail-alerts-and-monitoring"),
    ),
    FirstStep(
        _("A payment provider"),
        "wallet.add_providerchoice",
        lambda: bool(settings.PAYMENT_PROVIDERS),
        _document("settings", "razorpay"),
        is_of_cash=True,
    ),
    FirstStep(
        _("Rules of withdrawals"),
        "wallet.add_withdrawalpolicy",
        WithdrawalPolicy.objects.exists,
        _list_page("wallet_withdrawalpolicy"),
        is_of_cash=True,
    ),
    FirstStep(
        _("Rules of tax"),
        "wallet.add_taxrule",
        TaxRule.objects.exists,
        _list_page("wallet_taxrule"),
        is_of_cash=True,
    ),
)
