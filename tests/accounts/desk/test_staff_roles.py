"""Staff roles: the table of roles has every model, and the groups have exactly its permissions."""

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command
from django.utils import timezone

from accounts.desk.staff_roles import RIGHTS, Role, grant_roles, list_role_permissions
from accounts.models import User
from core.models.audit import AuditEntry
from tests.accounts.staff import member, office
from tests.given import reload

pytestmark = pytest.mark.django_db
APPS = ("core", "accounts", "wallet", "tables", "players", "history", "tournaments")


def list_permissions(role):
    permissions = Group.objects.get(name=role).permissions.values_list(
        "content_type__app_label", "content_type__model", "codename"
    )
    return set(permissions)


def test_every_model_is_in_the_table():
    models = {
        model._meta.label_lower: model
        for label in APPS
        for model in apps.get_app_config(label).get_models()
    }
    assert set(RIGHTS) == set(models)
    for label, model in models.items():
        own = {codename for codename, _name in model._meta.permissions}
        assert own <= set(RIGHTS[label]), f"{label}: say who may {own}"
        assert set(RIGHTS[label]) <= own | {"view", "add", "change", "delete"}, label


@pytest.mark.parametrize("role", [Role.SUPPORT, Role.FINANCE, Role.GAMES])
def test_a_role_has_exactly_what_the_table_gives(role):
    wanted = {(app, *permission) for app in APPS for permission in list_role_permissions(role, app)}
    assert len(wanted) > 15
    assert list_permissions(role) == wanted


def test_the_superuser_role_has_everything():
    assert len(list_permissions(Role.SUPERUSER)) == Permission.objects.count()


def test_only_superusers_change_staff_and_roles():
    for role in (Role.SUPPORT, Role.FINANCE, Role.GAMES):
        assert {app for app, _model, _codename in list_permissions(role)} <= set(APPS)
        assert ("accounts", "user", "change_user") not in list_permissions(role)


def test_rights_changed_by_hand_are_put_right():
    games = Group.objects.get(name=Role.GAMES)
    games.permissions.add(Permission.objects.get(codename="decide_withdrawal"))
    games.permissions.remove(Permission.objects.get(codename="cancel_match"))
    for label in APPS:
        grant_roles(apps.get_app_config(label), using="default")
    assert ("wallet", "withdrawal", "decide_withdrawal") not in list_permissions(Role.GAMES)
    assert ("tables", "match", "cancel_match") in list_permissions(Role.GAMES)


def test_an_own_group_of_the_operator_is_not_changed():
    own = Group.objects.create(name="auditors")
    own.permissions.add(Permission.objects.get(codename="view_auditentry"))
    call_command("migrate", verbosity=0)
    assert [permission.codename for permission in own.permissions.all()] == ["view_auditentry"]
    assert not User.objects.filter(groups=own).exists()


def test_only_an_own_group_can_be_changed_not_a_shipped_role(desk):
    shipped, own = Group.objects.get(name=Role.SUPPORT), Group.objects.create(name="tellers")
    before = list_permissions(Role.SUPPORT)
    for group, may_change in ((shipped, False), (own, True)):
        address = f"/admin/auth/group/{group.pk}/change/"
        page = desk.get(address).text
        assert ('name="_save"' in page) == may_change
        assert ("This role comes with the software" in page) != may_change
        answer = desk.post(address, {"name": "x", "permissions": [], "reason_for_audit": "y"})
        assert answer.status_code == (302 if may_change else 403)
    deleting = f"/admin/auth/group/{shipped.pk}/delete/"
    assert desk.post(deleting, {"post": "yes", "reason_for_audit": "y"}).status_code == 403
    assert list_permissions(Role.SUPPORT) == before
    assert reload(own).name == "x"


def test_a_copy_of_a_shipped_role_is_an_own_group(desk):
    shipped = Group.objects.get(name=Role.GAMES)
    address = f"/admin/auth/group/add/?copy={shipped.pk}"
    assert address in desk.get(f"/admin/auth/group/{shipped.pk}/change/").text
    initial = desk.get(address).context["adminform"].form.initial
    form = {
        "name": initial["name"],
        "permissions": [permission.pk for permission in initial["permissions"]],
        "reason_for_audit": "They also void matches.",
    }
    assert desk.post(address, form).status_code == 302
    assert list_permissions("games (copy)") == list_permissions(Role.GAMES)
    Group.objects.get(name="games (copy)").permissions.clear()
    call_command("migrate", verbosity=0)
    assert list_permissions("games (copy)") == set()


@pytest.mark.parametrize("asked", ["0", "x", "²", ""])
def test_a_copy_of_no_group_is_an_empty_form(desk, asked):
    page = desk.get("/admin/auth/group/add/", {"copy": asked})
    assert page.status_code == 200
    assert "permissions" not in page.context["adminform"].form.initial


def give_roles(desk, player, *roles, reason="She answers players."):
    groups = [Group.objects.get(name=role).pk for role in roles]
    form = {"groups": groups, "reason": reason}
    return desk.post(f"/admin/accounts/user/{player.pk}/roles/", form, follow=True)


def test_a_role_is_given_and_taken_on_the_players_page(asha, desk):
    page = f"/admin/accounts/user/{asha.pk}/change/"
    assert f'href="/admin/accounts/user/{asha.pk}/roles/"' in desk.get(page).text
    answer = give_roles(desk, asha, Role.SUPPORT, Role.GAMES)
    assert answer.redirect_chain == [(page, 302)]
    assert "Asha has these roles now: games, support." in answer.text
    assert reload(asha).is_staff
    assert asha.has_perm("history.answer_supportcase")
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.reason) == ("roles", "She answers players.")
    assert (entry.before["groups"], entry.after["groups"]) == ([], ["games", "support"])
    assert (entry.before["is_staff"], entry.after["is_staff"]) == (False, True)
    assert "Asha no longer has any role." in give_roles(desk, asha).text
    assert not reload(asha).is_staff
    assert not asha.groups.exists()


def test_a_role_needs_a_reason_and_the_right_to_give_it(asha, desk):
    assert give_roles(desk, asha, Role.SUPPORT, reason=" ").status_code == 200
    for role in (Role.SUPPORT, Role.FINANCE, Role.GAMES):
        other = office(member(role))
        assert give_roles(other, asha, Role.SUPPORT).status_code == 403
        page = other.get(f"/admin/accounts/user/{asha.pk}/change/").text
        assert f"/admin/accounts/user/{asha.pk}/roles/" not in page
    assert not reload(asha).is_staff
    assert not asha.groups.exists()
    assert not AuditEntry.objects.exists()


def test_a_superuser_stays_staff_without_a_role(boss, desk):
    give_roles(desk, boss)
    assert reload(boss).is_staff


@pytest.mark.parametrize(
    "kind", [{"is_bot": True}, {"closed_at": timezone.now(), "is_active": False}]
)
def test_bots_and_closed_accounts_get_no_role(asha, desk, kind):
    User.objects.filter(pk=asha.pk).update(**kind)
    assert give_roles(desk, asha, Role.SUPPORT).status_code == 404
    assert not asha.groups.exists()


def test_making_a_player_staff_leads_to_the_list_of_staff(asha, desk):
    form = {
        "email": asha.email,
        "player_name": "Asha",
        "language": "en",
        "is_staff": "on",
        "groups": [Group.objects.get(name=Role.SUPPORT).pk],
        "reason_for_audit": "She answers players.",
    }
    answer = desk.post(f"/admin/accounts/user/{asha.pk}/change/", form, follow=True)
    assert answer.redirect_chain == [("/admin/accounts/user/?kind=staff", 302)]
    assert asha in answer.context["cl"].result_list
