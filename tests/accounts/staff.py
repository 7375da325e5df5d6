"""Staff members for tests: one for each role, their browsers, and the forms that they submit."""

from typing import Any

from django.contrib.auth.models import Group
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from accounts.desk.staff_roles import Role
from accounts.models import User


def member(role: Role | str, name: str = "") -> User:
    name = name or str(role)
    user = User.objects.create_user(
        f"{name}@staff.example", player_name=f"Staff {name}", is_staff=True
    )
    user.groups.add(Group.objects.get(name=role))
    return user


def office(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def decide(desk: Client, row: Model, decision: str, reason: str = "", **more: str) -> Any:
    """Submit a decision on the row's page, and refresh the row. Return the answer."""
    address = reverse(f"admin:{row._meta.label_lower.replace('.', '_')}_decide", args=[row.pk])
    answer = desk.post(address, {"decision": decision, "reason": reason, **more}, follow=True)
    row.refresh_from_db()
    return answer


def act_on_rows(desk: Client, action: str, *rows: Model, reason: str = "A test of it.") -> Any:
    """Run an action on these rows of their changelist. Return the answer."""
    address = reverse(f"admin:{rows[0]._meta.label_lower.replace('.', '_')}_changelist")
    chosen = {"action": action, "_selected_action": [row.pk for row in rows]}
    return desk.post(address, {**chosen, "reason_for_audit": reason}, follow=True)
