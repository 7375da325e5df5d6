"""Figures about players' support requests, for the administration's first page."""

from datetime import datetime

from django.utils.translation import gettext_lazy as _

from accounts.desk.figures import Figure, build_list_address
from history.models import CaseState, SupportCase


def list_case_figures(_now: datetime) -> list[Figure]:
    waiting = SupportCase.objects.filter(state=CaseState.OPEN).count()
    address = build_list_address("history_supportcase", state__exact=CaseState.OPEN)
    return [Figure(_("Player requests"), str(waiting), address)]
