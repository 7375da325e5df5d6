"""Figures about tournaments for the administration's first page."""

from datetime import datetime, timedelta

from django.db.models import Count, Q
from django.utils.translation import gettext_lazy as _

from accounts.desk.figures import Figure, build_list_address
from tournaments.models import Tournament
from tournaments.rules.lifecycle import OVER, RUNNING, LifecycleStatus

# The tick runs every two seconds.
STEP_IS_LATE_AFTER = timedelta(seconds=30)


def list_tournament_figures(now: datetime) -> list[Figure]:
    late_since = now - STEP_IS_LATE_AFTER
    in_service = Q(paused_at=None, broken_at=None)
    numbers = Tournament.objects.exclude(status__in=OVER, broken_at=None).aggregate(
        registering=Count("pk", filter=Q(status=LifecycleStatus.REGISTERING)),
        running=Count("pk", filter=Q(status__in=RUNNING)),
        late=Count("pk", filter=in_service & Q(due_at__lt=late_since)),
        broken=Count("pk", filter=~Q(broken_at=None)),
    )
    name = "tournaments_tournament"
    return [
        Figure(
            _("Open for registration"),
            str(numbers["registering"]),
            build_list_address(name, status__exact=LifecycleStatus.REGISTERING),
        ),
        Figure(
            _("Running"),
            str(numbers["running"]),
            build_list_address(name, status__in=",".join(sorted(RUNNING))),
        ),
        Figure(
            _("Late steps"),
            str(numbers["late"]),
            build_list_address(
                name, due_at__lt=late_since, broken_at__isempty=1, paused_at__isempty=1
            ),
            is_alarm=numbers["late"] > 0,
        ),
        Figure(
            _("Out of order"),
            str(numbers["broken"]),
            build_list_address(name, broken_at__isempty=0),
            is_alarm=numbers["broken"] > 0,
        ),
    ]
