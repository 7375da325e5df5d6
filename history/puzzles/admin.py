"""Puzzles in the administration: staff retire wrong or dull ones."""

from collections.abc import Sequence

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from core.administration.pages import Decision, DecisionAdmin
from history.models import Puzzle
from history.puzzles.making import retire_puzzle


@admin.register(Puzzle)
class PuzzleAdmin(DecisionAdmin):
    decision_permission = "history.retire_puzzle"
    decision_label = _("Reason: kept in the audit log.")
    list_display = (
        "id", "game", "kind", "rating", "answers", "right", "daily_on", "made_at", "retired_at",
    )  # fmt: skip
    list_filter = ("kind", ("retired_at", admin.EmptyFieldListFilter))
    ordering = ("-id",)
    fields = (
        "game", "kind", "page", "rating", "deviation", "answers", "right", "daily_on", "made_at",
        "retired_at", "task", "solution",
    )  # fmt: skip
    readonly_fields = ("page", "rating")

    def decisions(self, obj: Puzzle) -> Sequence[Decision]:
        if obj.retired_at is not None:
            return (
                Decision("return", _("Reinstate the puzzle"), _("Players get this puzzle again.")),
            )
        return (
            Decision(
                "retire",
                _("Retire the puzzle"),
                _("The puzzle is retired and no longer shown."),
                is_against=True,
            ),
        )

    def decide(self, request: HttpRequest, obj: Puzzle, code: str, reason: str) -> None:
        retire_puzzle(puzzle_id=obj.pk, is_retired=code == "retire")

    @admin.display(description=_("rating"), ordering="value")
    def rating(self, puzzle: Puzzle) -> int:
        return round(puzzle.value)

    @admin.display(description=_("page"))
    def page(self, puzzle: Puzzle) -> SafeString:
        return format_html('<a href="{}">{}</a>', reverse("puzzle", args=[puzzle.pk]), str(puzzle))
