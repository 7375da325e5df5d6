"""The audit log: it records every action of the staff, and nobody can change it."""

import re
from contextlib import nullcontext

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db import DatabaseError, transaction
from django.urls import reverse

from accounts.desk.staff_roles import Role
from accounts.models import User
from accounts.models.users import PlayerNote
from core.administration.audit import build_staff, record_act, write_entry
from core.administration.pages import AuditedAdmin
from core.models.audit import AuditEntry
from tables.models import TableTemplate
from tests.accounts.staff import act_on_rows, member, office
from tests.given import reload
from tests.wallet.cash_players import make_player, make_staff
from tests.wallet.fees.schedules import FUTURE, schedule
from tests.wallet.rawsql import as_owner, run
from wallet.models import FeeSchedule

pytestmark = pytest.mark.django_db


@pytest.fixture
def finance():
    return member(Role.FINANCE)


@pytest.fixture
def desk(finance):
    return office(finance)


@pytest.fixture
def fee():
    return schedule(stake_from=1, stake_to=None, valid_from=FUTURE, valid_until=None)


@pytest.fixture
def by(finance, rf):
    """The staff member of Finance as the actor of audit entries."""
    request = rf.post("/")
    request.user = finance
    return build_staff(request)


def form_of(fee, **changes):
    return {
        "format": f"{fee.game}:{fee.format}",
        "currency": fee.currency,
        "stake_from": fee.stake_from,
        "rake_bps": "10",
        "valid_from_0": "2099-01-01",
        "valid_from_1": "05:30:00",
        **changes,
    }


def page_of(fee, name="change"):
    return reverse(f"admin:wallet_feeschedule_{name}", args=[fee.pk])


def test_every_page_of_the_administration_is_audited():
    assert len(admin.site._registry) > 20
    for model, page in admin.site._registry.items():
        assert isinstance(page, AuditedAdmin), model
        # Django's bulk deletion would not ask for a reason.
        request = type("Request", (), {"GET": {}, "user": User(is_superuser=True, is_active=True)})
        assert "delete_selected" not in page.get_actions(request()), model


def test_an_entry_tells_actor_object_change_reason_time_and_address(desk, finance, fee):
    answer = desk.post(
        page_of(fee),
        form_of(fee, rake_bps="12", reason_for_audit=" Costs have risen. "),
        REMOTE_ADDR="203.0.113.9",
    )
    assert answer.status_code == 302
    entry = AuditEntry.objects.get()
    assert (entry.staff, entry.staff_name) == (finance, "Staff finance")
    assert (entry.action, entry.object_type) == ("change", "wallet.feeschedule")
    assert entry.object_id == str(fee.pk)
    assert (entry.before, entry.after) == ({"rake_bps": 1_000}, {"rake_bps": 1_200})
    assert (entry.reason, entry.address) == ("Costs have risen.", "203.0.113.9")
    assert entry.at is not None


def test_a_change_made_in_a_list_is_audited():
    template = TableTemplate.objects.create(
        game="indian", preset="points", name="Neem Court", max_seats=2, point_value=1
    )
    desk = office(member(Role.GAMES))
    act_on_rows(desk, "close_them", template, reason="")
    assert TableTemplate.objects.get().is_open
    assert not AuditEntry.objects.exists()
    act_on_rows(desk, "close_them", template, reason="Nobody sits.")
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.reason) == ("close", "Nobody sits.")
    assert (entry.object_type, entry.object_id) == ("tables.tabletemplate", str(template.pk))
    assert (entry.before, entry.after) == ({"is_open": True}, {"is_open": False})


def test_a_change_needs_a_reason(desk, fee):
    answer = desk.post(page_of(fee), form_of(fee, rake_bps="12"))
    assert "This field is required" in answer.text
    assert reload(fee).rake_bps == 1_000
    assert not AuditEntry.objects.exists()


def test_additions_and_deletions_are_audited(desk, fee):
    new = form_of(fee, stake_from=500, reason_for_audit="A new kind.")
    new.update(valid_from_0="2099-02-01", format="indian:POOL")
    assert desk.post(reverse("admin:wallet_feeschedule_add"), new).status_code == 302
    made = FeeSchedule.objects.exclude(pk=fee.pk).get()
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.before, entry.after["stake_from"]) == ("add", {}, 500)

    delete = page_of(made, "delete")
    assert 'name="reason_for_audit"' in desk.get(delete).text
    assert "Write a reason" in desk.post(delete, {"post": "yes"}).text
    assert FeeSchedule.objects.count() == 2
    assert AuditEntry.objects.count() == 1
    assert desk.post(delete, {"post": "yes", "reason_for_audit": "A slip."}).status_code == 302
    assert FeeSchedule.objects.get() == fee
    entry = AuditEntry.objects.latest("pk")
    assert (entry.action, entry.object_id, entry.after) == ("delete", str(made.pk), {})
    assert (entry.before["stake_from"], entry.reason) == (500, "A slip.")


def test_the_entry_and_the_act_stand_or_fall_together(fee, by):
    def act_and_fail():
        with record_act(by=by, obj=fee, action="change", reason="x"):
            FeeSchedule.objects.update(rake_bps=1)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        act_and_fail()
    assert reload(fee).rake_bps == 1_000
    assert not AuditEntry.objects.exists()


def test_secrets_are_not_copied_into_the_log(finance):
    address = reverse("admin:auth_user_password_change", args=[finance.pk])
    form = {"usable_password": "true", "password1": "seven-lemons-a-day"}
    chief = office(make_staff("Boss"))
    answer = chief.post(address, {**form, "password2": "seven-lemons-a-day"})
    assert answer.status_code == 302
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.object_id) == ("password", str(finance.pk))
    assert reload(finance).check_password("seven-lemons-a-day")
    assert (entry.before, entry.after) == ({}, {})


def test_a_new_role_is_audited_by_its_name(finance):
    games = Group.objects.get(name="games")
    form = {"email": finance.email, "player_name": finance.player_name, "language": "en"}
    form |= {"is_staff": "on", "groups": [games.pk], "reason_for_audit": "Another desk."}
    address = reverse("admin:accounts_user_change", args=[finance.pk])
    assert office(make_staff("Boss")).post(address, form).status_code == 302
    entry = AuditEntry.objects.get()
    assert (entry.before, entry.after) == ({"groups": ["finance"]}, {"groups": ["games"]})


def test_a_note_is_signed_and_cannot_be_edited(desk, finance):
    player = make_player()
    add = reverse("admin:accounts_playernote_add")
    assert desk.post(add, {"user": player.pk, "text": "Called twice."}).status_code == 302
    note = PlayerNote.objects.get()
    assert (note.user, note.staff, note.text) == (player, finance, "Called twice.")
    change = reverse("admin:accounts_playernote_change", args=[note.pk])
    assert desk.post(change, {"user": player.pk, "text": "Never."}).status_code == 403
    assert reload(note).text == "Called twice."


@pytest.mark.parametrize("name", ["change", "delete"])
def test_the_administration_cannot_change_the_log(desk, fee, by, name):
    entry = write_entry(by=by, obj=fee, action="x", before={}, after={})
    page = reverse(f"admin:core_auditentry_{name}", args=[entry.pk])
    for client in (desk, office(make_staff("Boss"))):
        assert client.post(page, {"reason": "y", "post": "yes"}).status_code == 403
    assert AuditEntry.objects.get().action == "x"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE core_audit_entry SET reason = 'other'",
        "DELETE FROM core_audit_entry",
        "TRUNCATE core_audit_entry",
    ],
)
@pytest.mark.parametrize("role", ["application", "owner"])
def test_the_database_refuses_every_change(fee, by, statement, role):
    write_entry(by=by, obj=fee, action="x", before={}, after={}, reason="why")
    with (
        as_owner() if role == "owner" else nullcontext(),
        pytest.raises(DatabaseError),
        transaction.atomic(),
    ):
        run(statement)
    assert [entry.reason for entry in AuditEntry.objects.all()] == ["why"]


def test_finance_reads_the_log_and_support_does_not(desk, fee):
    desk.post(page_of(fee), form_of(fee, rake_bps="9", reason_for_audit="Less."))
    log = reverse("admin:core_auditentry_changelist")
    log_page = desk.get(log).text
    assert "service fee: 1000 → 900" in log_page
    entry = AuditEntry.objects.get()
    page = desk.get(reverse("admin:core_auditentry_change", args=[entry.pk])).text
    assert "Less." in page
    for role in (Role.SUPPORT, Role.GAMES):
        assert office(member(role)).get(log).status_code == 403


def test_the_log_shows_words_and_folds_long_entries(desk, fee):
    desk.post(page_of(fee), form_of(fee, rake_bps="12", reason_for_audit="Costs have risen."))
    new = form_of(fee, stake_from=500, reason_for_audit="A new kind.")
    new.update(valid_from_0="2099-02-01", format="indian:POOL")
    desk.post(reverse("admin:wallet_feeschedule_add"), new)
    page = desk.get(reverse("admin:core_auditentry_changelist")).text
    assert f"fee schedule {fee.pk}: " in page
    assert "<div>service fee: 1000 → 1200</div>" in page
    [added] = re.findall(r"<details><summary>(\d+) fields</summary>(.*?)</details>", page)
    assert int(added[0]) == added[1].count("<div>") > 5
    assert "<div>highest fee: - → -</div>" in added[1]
