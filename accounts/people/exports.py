"""Exports of accounts: requested by players, made by a job, kept for some days."""

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import takewhile

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models.users import AccountExport
from accounts.refusals import EXPORT_IS_THERE
from core import private_files
from core.database.each import act_on_each
from core.emails.kinds import Values, register_mail_kind, render_greeting
from core.emails.texts import write_mail
from core.refusals import Refusal

KEPT_FOR = timedelta(days=7)
# Well below a job's time limit.
SECONDS_A_RUN = 20
LOOKED_AT_ONCE = 500


def ask_for_export(*, user_id: int) -> AccountExport:
    """Request an export. Raises EXPORT_IS_THERE while one is being made or can be downloaded."""
    if find_export(user_id) is not None:
        raise Refusal(EXPORT_IS_THERE)
    try:
        with transaction.atomic():
            return AccountExport.objects.create(user_id=user_id)
    except IntegrityError as error:  # asked for twice at one moment
        raise Refusal(EXPORT_IS_THERE) from error


def find_export(user_id: int) -> AccountExport | None:
    """Return the export that is being made or can be downloaded, or None."""
    latest = AccountExport.objects.filter(user_id=user_id).order_by("-pk").first()
    return latest if latest is not None and (latest.made_at is None or latest.stored_as) else None


def make_exports(content_of: Callable[[int], bytes], *, now: datetime) -> int:
    """Make requested exports until SECONDS_A_RUN are up. Return the number made.

    `content_of(user_id)` returns the content of an export.
    """
    waiting = AccountExport.objects.filter(made_at__isnull=True).order_by("pk")
    ids = list(waiting.values_list("pk", flat=True)[:LOOKED_AT_ONCE])
    until = time.monotonic() + SECONDS_A_RUN
    in_time = takewhile(lambda _pk: time.monotonic() < until, ids)
    return act_on_each(in_time, lambda pk: _make(pk, content_of, now=now), doing="making an export")


@transaction.atomic
def _make(pk: int, content_of: Callable[[int], bytes], *, now: datetime) -> bool:
    locked = AccountExport.objects.select_for_update(skip_locked=True, no_key=True, of=["self"])
    export = locked.filter(pk=pk, made_at__isnull=True).select_related("user").first()
    if export is None:
        return False  # another worker has it
    content = content_of(export.user_id)
    export.stored_as = private_files.keep(content, folder="exports", extension="json")
    export.made_at = now
    export.save(update_fields=["stored_as", "made_at"])
    write_mail(READY, user=export.user, hint="export")
    return True


def _compose_ready(values: Values) -> tuple[str, str]:
    lines = [
        render_greeting(values),
        "",
        _("The file with everything that we store about you is ready on the page Your data."),
        _("You can download it for seven days."),
    ]
    return _("Your data is ready"), "\n".join(lines)


READY = register_mail_kind(
    "export_ready", gettext_lazy("Data export ready to download"), _compose_ready
)


def forget_old_exports(*, now: datetime) -> int:
    """Delete the files of expired exports. Return their number."""
    old = AccountExport.objects.filter(made_at__lt=now - KEPT_FOR).exclude(stored_as="")
    return act_on_each(old, _forget, doing="forgetting an export")


def _forget(export: AccountExport) -> bool:
    # Delete the file first: a row without a file is harmless, a file without a row would stay forever.
    private_files.forget(export.stored_as)
    return bool(AccountExport.objects.filter(pk=export.pk).update(stored_as=""))
