"""Support cases. Players open them, and staff answer in the administration. Answers are also sent by e-mail."""

from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from core.emails.kinds import Values, register_mail_kind, render_greeting
from core.emails.texts import write_mail
from core.refusals import Refusal
from history.models import CaseState, CaseTopic, SupportCase, SupportMessage
from history.models.support import LONGEST_MESSAGE
from history.records import deal_record, verdicts_on
from history.refusals import CASE_IS_CLOSED, NO_SUCH_DEAL, NOTHING_WRITTEN, TOO_MANY_CASES
from tables.models import Deal

CASES_SHOWN = 50


def list_cases(user_id: int) -> list[SupportCase]:
    """Return this player's cases, newest first, with their deals but without the evidence."""
    cases = SupportCase.objects.filter(user_id=user_id).defer("evidence").select_related("deal")
    return list(cases.order_by("-pk")[:CASES_SHOWN])


def find_case(user_id: int, *, case_id: int) -> SupportCase | None:
    """Return the player's own case without its evidence, or None."""
    cases = SupportCase.objects.select_related("deal").defer("evidence")
    return cases.filter(pk=case_id, user_id=user_id).first()


def list_messages(case: SupportCase) -> QuerySet[SupportMessage]:
    """Return the messages of player and staff, oldest first."""
    return case.messages.order_by("pk")


# Limits for one person: open cases, and messages within a day.
OPEN_CASES_EACH = 5
MESSAGES_A_DAY = 20
_DAY = timedelta(days=1)


@transaction.atomic
def open_case(*, user_id: int, topic: CaseTopic, text: str) -> SupportCase:
    """Open a case that is not about a deal. Raises NOTHING_WRITTEN or TOO_MANY_CASES."""
    words = _check_text(user_id, text)
    _refuse_too_many(user_id)
    case = SupportCase.objects.create(user_id=user_id, topic=topic)
    _write(case, author_id=user_id, text=words, is_answer=False)
    return case


@transaction.atomic
def dispute_deal(*, user_id: int, match_id: int, number: int, text: str) -> SupportCase:
    """Open a case about a deal, with its moves and the hand tool's current verdict.

    Raises NOTHING_WRITTEN, TOO_MANY_CASES, or NO_SUCH_DEAL for a deal that is not this player's or not over yet.
    """
    words = _check_text(user_id, text)
    _refuse_too_many(user_id)
    deal = Deal.objects.filter(
        match_id=match_id, number=number, match__participants__contains=[user_id]
    ).first()
    record = deal_record(match_id=match_id, number=number) if deal is not None else None
    if deal is None or record is None:
        raise Refusal(NO_SUCH_DEAL)
    evidence = {"record": record, "verdicts": verdicts_on(record)}
    case = SupportCase.objects.create(
        user_id=user_id, topic=CaseTopic.DEAL, deal=deal, evidence=evidence
    )
    _write(case, author_id=user_id, text=words, is_answer=False)
    return case


@transaction.atomic
def write_more(*, user_id: int, case_id: int, text: str) -> SupportCase:
    """Add a player's message. The case then waits for an answer again.

    Raises NOTHING_WRITTEN, TOO_MANY_CASES, CASE_IS_CLOSED or SupportCase.DoesNotExist.
    """
    words = _check_text(user_id, text)
    case = _lock_case(SupportCase.objects.filter(user_id=user_id, pk=case_id))
    _write(case, author_id=user_id, text=words, is_answer=False)
    return case


@transaction.atomic
def answer_case(*, case_id: int, staff_id: int, text: str, close: bool = False) -> SupportCase:
    """Add a staff answer, which is shown on the player's page and sent by e-mail.

    Raises NOTHING_WRITTEN or CASE_IS_CLOSED.
    """
    words = text.strip()
    if not 0 < len(words) <= LONGEST_MESSAGE:
        raise Refusal(NOTHING_WRITTEN)
    case = _lock_case(SupportCase.objects.filter(pk=case_id))
    _write(case, author_id=staff_id, text=words, is_answer=True)
    if close:
        SupportCase.objects.filter(pk=case.pk).update(state=CaseState.CLOSED)
    _write_mail(case, words)
    return case


@transaction.atomic
def close_case(*, user_id: int, case_id: int) -> None:
    """Close a case at its player's request. A closed case stays closed."""
    SupportCase.objects.filter(user_id=user_id, pk=case_id).update(state=CaseState.CLOSED)


def _lock_case(cases: QuerySet[SupportCase]) -> SupportCase:
    case = cases.select_for_update(no_key=True).get()
    if case.state == CaseState.CLOSED:
        raise Refusal(CASE_IS_CLOSED)
    return case


def _check_text(user_id: int, text: str) -> str:
    words = text.strip()
    if not 0 < len(words) <= LONGEST_MESSAGE:
        raise Refusal(NOTHING_WRITTEN)
    # Serialize concurrent requests of one player.
    User.objects.select_for_update(no_key=True).only("pk").get(pk=user_id)
    lately = SupportMessage.objects.filter(
        author_id=user_id, is_answer=False, written_at__gt=timezone.now() - _DAY
    )
    if lately.count() >= MESSAGES_A_DAY:
        raise Refusal(TOO_MANY_CASES)
    return words


def _refuse_too_many(user_id: int) -> None:
    open_now = SupportCase.objects.filter(user_id=user_id).exclude(state=CaseState.CLOSED)
    if open_now.count() >= OPEN_CASES_EACH:
        raise Refusal(TOO_MANY_CASES)


def _write(case: SupportCase, *, author_id: int, text: str, is_answer: bool) -> None:
    SupportMessage.objects.create(case=case, author_id=author_id, text=text, is_answer=is_answer)
    state = CaseState.ANSWERED if is_answer else CaseState.OPEN
    SupportCase.objects.filter(pk=case.pk).update(state=state, changed_at=Now())


def _write_mail(case: SupportCase, words: str) -> None:
    write_mail(ANSWERED, user=case.user, hint="support", number=str(case.pk), answer=words)


def _compose_answer(values: Values) -> tuple[str, str]:
    lines = [
        render_greeting(values),
        "",
        values["answer"],
        "",
        _("You can answer on the page Help and contact."),
    ]
    return _("Our answer to your request %(number)s") % values, "\n".join(lines)


ANSWERED = register_mail_kind(
    "support_answered",
    gettext_lazy("Answer to a request"),
    _compose_answer,
    needed=frozenset({"answer"}),
    number=gettext_lazy("the request's number"),
    answer=gettext_lazy("what staff wrote"),
)
