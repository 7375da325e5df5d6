"""Clubs in the administration: read-only. Staff can close a club or pass it on, with a reason."""

from collections.abc import Sequence

from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from core.administration.lists import DayRange
from core.administration.pages import Decision, DecisionAdmin
from players.clubs.services import close_by_staff, pass_on_by_staff
from tables.models import BELONGS, ChatLine, Club

_LINES_SHOWN = 50


@admin.register(Club)
class ClubAdmin(DecisionAdmin):
    decision_permission = "tables.decide_club"
    longest_reason = 200
    decision_label = _("Reason: kept in the audit log. If you close a club, its members see it.")
    list_display = ("name", "founder", "members_now", "created_at", "closed_at")
    list_filter = (("created_at", DayRange), ("closed_at", admin.EmptyFieldListFilter), "join_by")
    list_select_related = ("founder",)
    search_fields = ("name", "founder__player_name")
    ordering = ("-pk",)
    fields = (
        "name", "about", "founder", "join_by", "created_at", "closed_at", "closed_for",
        "evening_weekday", "evening_time", "evening_at", "people", "said",
    )  # fmt: skip
    readonly_fields = ("people", "said")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Club]:
        belongs = Count("members", filter=Q(members__role__in=BELONGS))
        clubs: QuerySet[Club] = super().get_queryset(request)
        return clubs.annotate(count=belongs)

    @admin.display(description=_("members"))
    def members_now(self, club: Club) -> int:
        return int(vars(club)["count"])

    @admin.display(description=_("members"))
    def people(self, club: Club) -> SafeString | str:
        rows = club.members.select_related("user").order_by("role", "since", "pk")
        links = (
            (
                reverse("admin:accounts_user_change", args=[row.user_id]),
                row.user.player_name,
                row.get_role_display(),
            )
            for row in rows
        )
        return format_html_join("", '<a href="{}">{}</a> ({})<br>', links) or "-"

    @admin.display(description=_("chat"))
    def said(self, club: Club) -> SafeString | str:
        """Return the newest lines of the chat, including hidden ones."""
        lines = ChatLine.objects.filter(club=club).select_related("user").order_by("-pk")
        told = ((line.user.player_name, line.phrase or line.text) for line in lines[:_LINES_SHOWN])
        return format_html_join("", "<strong>{}</strong>: {}<br>", told) or "-"

    def decisions(self, obj: Club) -> Sequence[Decision]:
        if not obj.is_open:
            return ()
        return (
            Decision(
                "pass_on",
                _("Pass on to the next owner"),
                _(
                    "%(row)s now belongs to its longest-serving officer or, if it has "
                    "none, to its longest-serving member."
                ),
            ),
            Decision("close", _("Close the club"), _("%(row)s is closed."), is_against=True),
        )

    def decide(self, request: HttpRequest, obj: Club, code: str, reason: str) -> None:
        if code == "close":
            close_by_staff(club_id=obj.pk, reason=reason)
        else:
            pass_on_by_staff(club_id=obj.pk)
