"""A club's link, opened by visitors who are not signed in."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.people.guests import find_guest
from players.clubs import invitations, services
from tables.models import ClubMember, JoinBy
from tests.accounts.users import PASSWORD, SIGNUP, make_confirmed_player
from tests.given import require
from tests.players.clubs.clubbing import found, roles

pytestmark = pytest.mark.usefixtures("fresh_rate_limits")


@pytest.fixture
def club(people):
    """A club that new members may join only if an officer approves."""
    return found(people[0], join_by=JoinBy.APPROVAL)


def follow_link(client, club, invite=None):
    return client.get(
        reverse("clubs:club", args=[club.pk]),
        {"invite": club.invite_code if invite is None else invite},
    )


def press_join(client, club, **more):
    address = reverse("clubs:join", args=[club.pk])
    return client.post(address, {"invite": club.invite_code, **more})


def register(client, address):
    answer = client.post(address, SIGNUP)
    assert answer.status_code == 302, answer.context["form"].errors
    return User.objects.get(email=SIGNUP["email"])


def test_a_visitor_with_the_link_sees_the_club_and_no_members(client, club, people):
    page = follow_link(client, club).text
    assert "You are invited to Neem Club." in page
    assert "Register and join" in page
    assert people[0].player_name in page  # the founder
    assert "1 member" in page
    assert 'id="members"' not in page


@pytest.mark.parametrize("invite", ["", "wrong"])
def test_without_the_link_a_visitor_signs_in_first(client, club, invite):
    answer = follow_link(client, club, invite)
    assert answer.status_code == 302
    assert answer.url.startswith(reverse("account_login"))
    answer = client.post(reverse("clubs:join", args=[club.pk]), {"invite": invite})
    assert answer.url.startswith(reverse("account_login"))
    assert "club_invitation" not in client.session
    services.close_by_staff(club_id=club.pk, reason="")
    assert follow_link(client, club).url.startswith(reverse("account_login"))


def test_registering_by_the_link_makes_a_member(client, club):
    answer = press_join(client, club)
    page = reverse("clubs:club", args=[club.pk])
    assert answer.url == f"{reverse('account_signup')}?next={page.replace('/', '%2F')}"
    user = register(client, answer.url)
    assert roles(club)[user.pk] == "member"
    assert "You are a member of the club now." in client.get(page).text
    assert "club_invitation" not in client.session


def test_signing_in_by_the_link_makes_a_member(client, club):
    user = make_confirmed_player("Leela")
    answer = press_join(client, club, known="1")
    assert answer.url.startswith(reverse("account_login"))
    client.post(answer.url, {"login": user.email, "password": PASSWORD})
    assert roles(club)[user.pk] == "member"


def test_a_guest_registers_and_is_a_member(client, club, make_free):
    table = make_free(opened_by_id=club.founder_id)
    sit = {"player_name": "Leela", "adult": "on", "press": "a" * 32, "seat": "0"}
    sit |= {"invite": table.invite_code}
    client.post(reverse("tables:sit_as_guest", args=[table.pk]), sit)
    guest = require(find_guest(client.session))
    assert "You are invited to Neem Club." in follow_link(client, club).text
    user = register(client, press_join(client, club).url)
    assert user.pk == guest
    assert roles(club)[guest] == "member"


def test_a_pressed_join_lapses_after_an_hour(client, club, monkeypatch):
    monkeypatch.setattr(invitations, "LASTS", timedelta(0))
    user = register(client, press_join(client, club).url)
    assert user.pk not in roles(club)


def test_a_link_that_was_renewed_meanwhile_lets_nobody_in(client, club, people):
    answer = press_join(client, club)
    services.change_club(
        club_id=club.pk, user_id=people[0].pk, name="Neem Club", about="", icon="owl",
        join_by=JoinBy.LINK,
    )  # fmt: skip
    services.renew_link(club_id=club.pk, user_id=people[0].pk)
    user = register(client, answer.url)
    assert user.pk not in roles(club)
    assert "People join this club by its link." in client.get("/").text


def test_a_club_that_was_closed_meanwhile_stops_nobody_from_registering(client, club):
    answer = press_join(client, club)
    services.close_by_staff(club_id=club.pk, reason="")
    user = register(client, answer.url)
    assert not ClubMember.objects.filter(user=user).exists()


def test_an_invitation_is_remembered_until_its_end(client, club):
    now = timezone.now()
    press_join(client, club)
    until = client.session["club_invitation"]["until"]
    assert (
        now.timestamp() <= until - invitations.LASTS.total_seconds() <= timezone.now().timestamp()
    )
