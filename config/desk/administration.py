"""The administration's site: access, and the first page."""

from collections.abc import Callable
from functools import partial, update_wrapper
from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.desk.person_page import PERSON_PAGES, Source, Tool
from accounts.desk.role_page import MAY_GIVE_ROLES, role_urls
from config.desk import person_money, person_play
from config.desk.navigation import group_by_work
from config.desk.person_money import chips_urls
from config.desk.report_pages import report_urls
from config.desk.search import search_page
from config.desk.second_factors import has_second_factor
from config.desk.setup.page import setup_urls
from config.desk.today import build_today
from core.site.content import site


class Administration(AdminSite):
    """The administration's site, with the players' sign-in page, which limits attempts and asks for a second factor.

    Staff without a second factor are sent to set one up.
    """

    index_title = gettext_lazy("Today")
    index_template = "admin/dashboard.html"

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        title = _("%(site)s administration") % {"site": site().name}
        return {**super().each_context(request), "site_title": title, "site_header": title}

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        answer: HttpResponse = secure_admin_login(super().login)(request, extra_context)
        return answer

    def get_app_list(
        self, request: HttpRequest, app_label: str | None = None
    ) -> list[dict[str, Any]]:
        apps = super().get_app_list(request, app_label)
        return apps if app_label else group_by_work(apps, request)

    def password_change(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> Any:
        """Redirect to the players' page for a new password, which also signs out all other devices."""
        return redirect("account_change_password")

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        """Show the tasks that wait for staff, then charts of thirty days, then the figures of the day."""
        context = build_today(request.user, timezone.now())
        return super().index(request, {**(extra_context or {}), **context})

    def get_urls(self) -> list[Any]:
        search = self.admin_view(partial(search_page, self))
        return [
            path("search/", search, name="search"),
            *report_urls(self),
            *setup_urls(self),
            *chips_urls(self),
            *role_urls(self),
            *super().get_urls(),
        ]

    def admin_view(
        self,
        view: Callable[..., Any],
        cacheable: bool = False,  # noqa: FBT001, FBT002 - Django's signature
    ) -> Any:
        guarded = super().admin_view(view, cacheable)

        def page(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            if self.has_permission(request) and not has_second_factor(request.user.pk):
                messages.warning(
                    request,
                    _("The administration asks for a second factor. Set one up here first."),
                )
                return redirect("mfa_index")
            return guarded(request, *args, **kwargs)

        return update_wrapper(page, guarded)


def register_person_pages() -> None:
    """Register the panels, columns, filters and tools that all apps add to players' staff pages."""
    PERSON_PAGES.sources[:] = [
        Source("wallet.view_deposit", person_money.panels_of_money),
        Source("tables.view_match", person_play.panels_of_play),
        Source("tournaments.view_entrant", person_play.panels_of_tournaments),
        Source("tables.view_report", person_play.panels_of_reports),
        Source("tables.view_sanction", person_play.panels_of_sanctions),
        Source("history.view_supportcase", person_play.panels_of_cases),
    ]
    PERSON_PAGES.columns[:] = [*person_money.COLUMNS, *person_play.COLUMNS]
    PERSON_PAGES.filters[:] = [
        ("wallet.view_deposit", person_money.DepositedFilter),
        ("tables.view_match", person_play.PlayedFilter),
    ]
    PERSON_PAGES.tools[:] = [
        Tool(
            person_money.MAY_ADJUST_CHIPS,
            gettext_lazy("Give or take chips"),
            "admin:player_chips",
        ),
        Tool(
            "tables.decide_sanction", gettext_lazy("Warn or silence"), "admin:tables_sanction_about"
        ),
        Tool(MAY_GIVE_ROLES, gettext_lazy("Roles"), "admin:player_roles"),
    ]
