"""Roles of the staff: every model is in the table, and the groups have exactly what it says."""

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command

from accounts.desk.staff_roles import RIGHTS, Role, grant_roles, permissions_of
from accounts.models import User

pytestmark = pytest.mark.django_db
APPS = ("accounts", "wallet", "tables", "tournaments")


def held(role):
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
    wanted = {(app, *permission) for app in APPS for permission in permissions_of(role, app)}
    assert len(wanted) > 15
    assert held(role) == wanted


def test_the_superuser_role_has_everything():
    assert len(held(Role.SUPERUSER)) == Permission.objects.count()


def test_only_superusers_change_staff_and_roles():
    for role in (Role.SUPPORT, Role.FINANCE, Role.GAMES):
        assert not {permission for permission in held(role) if permission[0] not in APPS}
        assert ("accounts", "user", "change_user") not in held(role)


def test_what_was_given_or_taken_by_hand_is_put_right():
    games = Group.objects.get(name=Role.GAMES)
    games.permissions.add(Permission.objects.get(codename="decide_withdrawal"))
    games.permissions.remove(Permission.objects.get(codename="cancel_match"))
    for label in APPS:
        grant_roles(apps.get_app_config(label), using="default")
    assert ("wallet", "withdrawal", "decide_withdrawal") not in held(Role.GAMES)
    assert ("tables", "match", "cancel_match") in held(Role.GAMES)


def test_a_group_of_the_operators_own_is_left_alone():
    own = Group.objects.create(name="auditors")
    own.permissions.add(Permission.objects.get(codename="view_auditentry"))
    call_command("migrate", verbosity=0)
    assert [permission.codename for permission in own.permissions.all()] == ["view_auditentry"]
    assert not User.objects.filter(groups=own).exists()
