"""Helpers with which members of a club act."""

from django.urls import reverse

from players.clubs import services
from tables.models import Club, ClubMember, JoinBy
from tests.refusals import refused


def found(user, name="Neem Club", join_by=JoinBy.LINK, about=""):
    return services.found_club(user_id=user.pk, name=name, about=about, icon="owl", join_by=join_by)


def enter(club, *people):
    club.refresh_from_db()
    for person in people:
        services.join(club_id=club.pk, user_id=person.pk, invite=club.invite_code)


def ask(club, *people):
    for person in people:
        services.join(club_id=club.pk, user_id=person.pk)


def roles(club):
    return dict(club.members.order_by("user").values_list("user", "role"))


def expect_refusal(refusal, act, **terms):
    def read_rows():
        return [list(model.objects.order_by("pk").values()) for model in (Club, ClubMember)]

    before = read_rows()
    with refused(refusal):
        act(**terms)
    assert read_rows() == before


def read_club(client, club, person=None):
    """Sign the player in and return the page of the club."""
    if person is not None:
        client.force_login(person)
    return client.get(reverse("clubs:club", args=[club.pk])).text
