"""Members of the staff for tests: one of each role, signed in."""

from django.contrib.auth.models import Group
from django.test import Client

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
