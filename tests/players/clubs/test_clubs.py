"""Clubs: founding, joining, roles and leaving."""

import re
from functools import partial

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from accounts.people.closing import freeze
from config.account_data.closing import close_account
from core.models.audit import AuditEntry
from players.clubs import services
from players.clubs.selectors import find_club, list_clubs, open_clubs
from players.refusals import (
    ABOUT_REFUSED,
    ASKED_TOO_OFTEN,
    CLUB_IS_FULL,
    CLUB_NAME_REFUSED,
    CLUB_NAME_TAKEN,
    LINK_NEEDED,
    MEMBERS_ONLY,
    NO_SUCH_CLUB,
    NOT_ABOVE_YOU,
    NOT_ASKED,
    OWNER_ONLY,
    OWNER_STAYS,
    REMOVED_FROM_CLUB,
    TOO_MANY_ASK,
    TOO_MANY_CLUBS,
)
from tables.models import Club, ClubMember, ClubRole, JoinBy
from tables.refusals import OFFICERS_ONLY
from tests.accounts.staff import member as staff_member
from tests.given import reload
from tests.players.clubs.clubbing import ask, enter, expect_refusal, found, read_club, roles
from tests.together import names_of, run_at_once


class TestFounding:
    def test_the_founder_owns_the_club(self, people):
        club = found(people[0], "  Neem   Club ", about="Every Friday")
        assert (club.name, club.about, club.icon, club.founder) == (
            "Neem Club", "Every Friday", "owl", people[0],
        )  # fmt: skip
        assert roles(club) == {people[0].pk: "owner"}
        assert list_clubs(people[0].pk) == [club] == open_clubs() == open_clubs("neem")

    @pytest.mark.parametrize(
        "name", ["ab", "x" * 21, "Admin", "N\u0435em Club", "OpenRummy", "_neem"]
    )
    def test_club_names_follow_the_rules_of_player_names(self, people, name):
        expect_refusal(CLUB_NAME_REFUSED, found, user=people[0], name=name)

    def test_names_of_open_clubs_do_not_look_alike(self, people):
        club = found(people[0])
        for name in ("Neem Club", "neem club", "N33m Club".replace("3", "é"), "Neem C1ub"):
            expect_refusal(CLUB_NAME_TAKEN, found, user=people[1], name=name)
        services.leave(club_id=club.pk, user_id=people[0].pk)
        assert found(people[1]).name == "Neem Club"

    def test_the_database_refuses_equal_club_names(self, people):
        club = found(people[0])
        with pytest.raises(IntegrityError), transaction.atomic():
            Club.objects.create(
                name="Other", name_skeleton=club.name_skeleton, founder=people[1], invite_code="x"
            )

    @pytest.mark.parametrize("about", ["x" * 301, "see https://example.com"])
    def test_the_description_of_a_club_holds_no_link(self, people, about):
        expect_refusal(ABOUT_REFUSED, found, user=people[0], about=about)

    def test_the_clubs_of_a_founder_are_limited(self, people, settings):
        settings.CLUBS_EACH = 2
        found(people[0], "One Club")
        found(people[0], "Two Club")
        expect_refusal(TOO_MANY_CLUBS, found, user=people[0], name="Three Club")
        settings.CLUBS_EACH = 10
        found(people[0], "Three Club")
        expect_refusal(ASKED_TOO_OFTEN, found, user=people[0], name="Four Club")


class TestJoining:
    def test_a_player_joins_at_once_by_the_link(self, club, people):
        stranger = people[4]
        expect_refusal(LINK_NEEDED, services.join, club_id=club.pk, user_id=stranger.pk)
        wrong = {"club_id": club.pk, "user_id": stranger.pk, "invite": "wrong"}
        expect_refusal(LINK_NEEDED, services.join, **wrong)
        enter(club, stranger, stranger)
        assert roles(club)[stranger.pk] == "member"

    def test_officers_approve_requests_to_join(self, people):
        club = found(people[0], join_by=JoinBy.APPROVAL)
        ask(club, people[1], people[1])
        assert roles(club)[people[1].pk] == "asked"
        decide = {"club_id": club.pk, "other_id": people[1].pk}
        expect_refusal(OFFICERS_ONLY, services.approve, user_id=people[1].pk, **decide)
        expect_refusal(OFFICERS_ONLY, services.approve, user_id=people[2].pk, **decide)
        services.approve(user_id=people[0].pk, **decide)
        assert roles(club)[people[1].pk] == "member"
        expect_refusal(NOT_ASKED, services.approve, user_id=people[0].pk, **decide)
        expect_refusal(NOT_ASKED, services.refuse, user_id=people[0].pk, **decide)

    def test_an_invitation_needs_no_approval(self, people):
        club = found(people[0], join_by=JoinBy.APPROVAL)
        services.join(club_id=club.pk, user_id=people[1].pk, invite="an old code")
        assert roles(club)[people[1].pk] == "asked"
        enter(club, people[1], people[2])
        assert roles(club) == {
            people[0].pk: "owner", people[1].pk: "member", people[2].pk: "member",
        }  # fmt: skip

    def test_a_refused_player_may_ask_again_and_withdraw(self, people):
        club = found(people[0], join_by=JoinBy.APPROVAL)
        ask(club, people[1])
        services.refuse(club_id=club.pk, user_id=people[0].pk, other_id=people[1].pk)
        ask(club, people[1])
        services.leave(club_id=club.pk, user_id=people[1].pk)
        assert roles(club) == {people[0].pk: "owner"}

    def test_the_members_of_a_club_are_limited(self, club, people, settings):
        settings.CLUB_MEMBERS = 4
        terms = {"club_id": reload(club).pk, "user_id": people[4].pk, "invite": club.invite_code}
        expect_refusal(CLUB_IS_FULL, services.join, **terms)
        Club.objects.update(join_by=JoinBy.APPROVAL)
        expect_refusal(CLUB_IS_FULL, services.join, **terms)
        ask(club, people[4])
        expect_refusal(
            CLUB_IS_FULL, services.approve,
            club_id=club.pk, user_id=people[0].pk, other_id=people[4].pk,
        )  # fmt: skip

    def test_the_open_requests_of_a_club_are_limited(self, people, make_player, monkeypatch):
        monkeypatch.setattr(services, "OPEN_REQUESTS", 2)
        club = found(people[0], join_by=JoinBy.APPROVAL)
        ask(club, people[1], people[2])
        expect_refusal(TOO_MANY_ASK, services.join, club_id=club.pk, user_id=people[3].pk)

    def test_the_requests_of_a_player_a_day_are_limited(self, people, monkeypatch):
        monkeypatch.setattr(services, "ASKED_A_DAY", 3)
        club = found(people[0], join_by=JoinBy.APPROVAL)
        for _ in range(3):
            ask(club, people[1])
            services.leave(club_id=club.pk, user_id=people[1].pk)
        expect_refusal(ASKED_TOO_OFTEN, services.join, club_id=club.pk, user_id=people[1].pk)

    def test_frozen_players_neither_join_nor_found_clubs(self, club, people):
        freeze(user_id=people[4].pk, staff_id=people[0].pk, reason="test")
        terms = {"club_id": club.pk, "user_id": people[4].pk, "invite": club.invite_code}
        expect_refusal(MEMBERS_ONLY, services.join, **terms)
        expect_refusal(MEMBERS_ONLY, found, user=people[4], name="Other Club")


class TestRoles:
    def test_a_removed_member_cannot_return_by_a_link(self, club, people):
        owner, officer, member, _other, _stranger = people
        old = reload(club).invite_code
        services.remove(club_id=club.pk, user_id=officer.pk, other_id=member.pk)
        assert roles(club)[member.pk] == "removed"
        assert reload(club).invite_code != old
        for code in (old, club.invite_code):
            expect_refusal(
                REMOVED_FROM_CLUB, services.join, club_id=club.pk, user_id=member.pk, invite=code
            )
        expect_refusal(MEMBERS_ONLY, services.leave, club_id=club.pk, user_id=member.pk)
        services.readmit(club_id=club.pk, user_id=owner.pk, other_id=member.pk)
        enter(club, member)
        assert roles(club)[member.pk] == "member"

    def test_nobody_removes_members_above_themselves(self, club, people):
        owner, officer, member, other, _stranger = people
        for by, whom, refusal in (
            (officer, owner, NOT_ABOVE_YOU),
            (officer, officer, NOT_ABOVE_YOU),
            (owner, owner, NOT_ABOVE_YOU),
            (member, other, OFFICERS_ONLY),
            (member, owner, OFFICERS_ONLY),
        ):
            expect_refusal(
                refusal, services.remove, club_id=club.pk, user_id=by.pk, other_id=whom.pk
            )
        services.remove(club_id=club.pk, user_id=owner.pk, other_id=officer.pk)
        assert roles(club)[officer.pk] == "removed"

    def test_only_the_owner_gives_roles(self, club, people):
        owner, officer, member, _other, stranger = people
        for act in (services.make_officer, services.make_member, services.pass_on):
            for by in (officer, member, stranger):
                expect_refusal(OWNER_ONLY, act, club_id=club.pk, user_id=by.pk, other_id=member.pk)
            expect_refusal(
                MEMBERS_ONLY, act, club_id=club.pk, user_id=owner.pk, other_id=stranger.pk
            )
        services.make_member(club_id=club.pk, user_id=owner.pk, other_id=officer.pk)
        assert roles(club)[officer.pk] == "member"

    def test_the_owner_passes_the_role_on_before_leaving(self, club, people):
        owner, officer, member, _other, _stranger = people
        expect_refusal(OWNER_STAYS, services.leave, club_id=club.pk, user_id=owner.pk)
        services.pass_on(club_id=club.pk, user_id=owner.pk, other_id=member.pk)
        assert roles(club)[owner.pk] == "officer"
        assert roles(club)[member.pk] == "owner"
        services.leave(club_id=club.pk, user_id=owner.pk)
        assert owner.pk not in roles(club)
        assert roles(club)[officer.pk] == "officer"

    def test_a_frozen_officer_decides_nothing(self, club, people):
        owner, officer, member, _other, _stranger = people
        freeze(user_id=officer.pk, staff_id=owner.pk, reason="test")
        expect_refusal(
            OFFICERS_ONLY, services.remove,
            club_id=club.pk, user_id=officer.pk, other_id=member.pk,
        )  # fmt: skip
        # The owner still decides about them.
        services.remove(club_id=club.pk, user_id=owner.pk, other_id=officer.pk)

    def test_the_last_member_closes_the_club_by_leaving(self, people):
        club = found(people[0])
        services.leave(club_id=club.pk, user_id=people[0].pk)
        assert reload(club).closed_at is not None
        assert open_clubs() == []
        expect_refusal(
            NO_SUCH_CLUB, services.join,
            club_id=club.pk, user_id=people[1].pk, invite=club.invite_code,
        )  # fmt: skip


@pytest.mark.django_db(transaction=True)
def test_concurrent_approvals_do_not_exceed_the_limit(make_player, settings):
    owner, officer, one, two = (make_player(chips=False) for _ in range(4))
    club = found(owner)
    enter(club, officer)
    services.make_officer(club_id=club.pk, user_id=owner.pk, other_id=officer.pk)
    Club.objects.update(join_by=JoinBy.APPROVAL)
    ask(club, one, two)
    settings.CLUB_MEMBERS = 3
    answers = run_at_once(
        *(
            partial(services.approve, club_id=club.pk, user_id=by.pk, other_id=whom.pk)
            for by, whom in ((owner, one), (officer, two))
        )
    )
    assert names_of(answers) == ["NoneType", "club_is_full"]
    assert club.members.filter(role=ClubRole.MEMBER).count() == 1


class TestClosingAnAccount:
    def test_a_closed_owners_club_passes_to_the_oldest_officer(self, club, people):
        owner, officer, member, other, _stranger = people
        close_account(user_id=owner.pk)
        assert roles(club) == {officer.pk: "owner", member.pk: "member", other.pk: "member"}

    def test_a_club_without_officers_passes_to_the_oldest_member(self, people):
        owner, frozen, member, last, _stranger = people
        club = found(owner)
        enter(club, frozen, member, last)
        freeze(user_id=frozen.pk, staff_id=owner.pk, reason="test")
        close_account(user_id=owner.pk)
        assert roles(club) == {frozen.pk: "member", member.pk: "owner", last.pk: "member"}

    def test_a_club_without_members_is_closed(self, people):
        club = found(people[0])
        close_account(user_id=people[0].pk)
        assert reload(club).closed_at is not None
        assert roles(club) == {}

    @pytest.mark.parametrize("state", ["asked", "removed", "member", "officer"])
    def test_a_closed_account_leaves_its_clubs(self, club, people, state):
        ClubMember.objects.filter(club=club, user=people[2]).update(role=state)
        close_account(user_id=people[2].pk)
        assert people[2].pk not in roles(club)
        assert roles(club)[people[0].pk] == "owner"


class TestPages:
    def test_a_stranger_sees_the_name_but_no_members(self, client, club, people):
        page = read_club(client, club, people[4])
        assert "Neem Club" in page
        assert people[2].player_name not in page
        assert club.invite_code not in page
        link = {"invite": reload(club).invite_code}
        client.post(reverse("clubs:join", args=[club.pk]), link)
        page = read_club(client, club)
        assert people[2].player_name in page
        assert club.invite_code in page

    def test_founding_changing_and_approving_by_forms(self, client, people):
        client.force_login(people[0])
        sent = {"name": "Banyan Club", "about": "", "join_by": "approval", "icon": "owl"}
        answer = client.post(reverse("clubs:found"), sent)
        club = Club.objects.get()
        assert answer.headers["Location"] == reverse("clubs:club", args=[club.pk])
        assert client.post(reverse("clubs:found"), {**sent, "name": "Admin"}).status_code == 200
        assert Club.objects.count() == 1
        client.post(reverse("clubs:settings", args=[club.pk]), {**sent, "name": "Peepal Club"})
        assert reload(club).name == "Peepal Club"
        ask(club, people[1])
        assert "Ask to join" in read_club(client, club)
        act = reverse("clubs:act", args=[club.pk, people[1].pk])
        client.post(act, {"act": "approve"})
        assert roles(club)[people[1].pk] == "member"
        assert client.post(act, {"act": "nothing"}).status_code == 404
        assert "Peepal Club" in client.get("/").text
        client.force_login(people[1])
        assert client.get(reverse("clubs:settings", args=[club.pk])).status_code == 404
        assert client.get(reverse("clubs:evening", args=[club.pk])).status_code == 404

    def test_every_act_of_the_page_is_known(self, client, club, people):
        owner, officer, member, _other, stranger = people
        Club.objects.update(join_by=JoinBy.APPROVAL)
        ask(club, stranger)
        services.remove(club_id=club.pk, user_id=owner.pk, other_id=member.pk)
        page = read_club(client, club, owner)
        forms = re.findall(
            r'action="([^"]*/members/\d+/)".*?name="act"\s+value="(\w+)"', page, re.DOTALL
        )
        assert {act for _address, act in forms} == {
            "approve", "refuse", "officer", "member", "owner", "remove", "readmit",
        }  # fmt: skip
        for address, act in forms:
            if act == "readmit":
                assert client.post(address, {"act": act}).status_code == 302
        assert member.pk not in roles(club)
        assert officer.pk in roles(club)

    def test_the_page_says_what_an_invitation_is_worth(self, client, people):
        club = found(people[0], join_by=JoinBy.APPROVAL)
        address = reverse("clubs:club", args=[club.pk])
        client.force_login(people[1])
        assert "Ask to join" in client.get(address).text
        invited = client.get(address, {"invite": club.invite_code}).text
        assert "Join the club" in invited
        assert "Ask to join" not in invited
        outdated = client.get(address, {"invite": "an old code"}).text
        assert "This invitation is no longer valid." in outdated
        assert "Ask to join" in outdated
        client.post(reverse("clubs:join", args=[club.pk]), {"invite": club.invite_code})
        assert roles(club)[people[1].pk] == "member"

    def test_only_its_members_see_a_closed_club(self, client, club, people):
        services.close_by_staff(club_id=club.pk, reason="Bad words.")
        page = read_club(client, club, people[2])
        assert "This club is closed." in page
        assert "Bad words." in page
        assert "Neem Club" not in client.get(reverse("clubs:list")).text
        assert "Neem Club" not in client.get("/").text
        client.force_login(people[4])
        assert client.get(reverse("clubs:club", args=[club.pk])).status_code == 404
        assert find_club(people[4].pk, club.pk) is None


class TestStaff:
    DECIDE = "admin:tables_club_decide"

    @pytest.fixture
    def support(self, client, db):
        client.force_login(staff_member("support"))
        return client

    def test_support_closes_a_club_with_a_reason(self, support, club):
        page = reverse(self.DECIDE, args=[club.pk])
        support.post(page, {"decision": "close", "reason": " "})
        assert reload(club).closed_at is None
        support.post(page, {"decision": "close", "reason": "An insult for a name."})
        assert reload(club).closed_at is not None
        assert club.closed_for == "An insult for a name."
        entry = AuditEntry.objects.latest("pk")
        assert (entry.action, entry.reason) == ("close", "An insult for a name.")

    def test_support_passes_on_the_club_of_a_frozen_owner(self, support, club, people):
        freeze(user_id=people[0].pk, staff_id=people[4].pk, reason="test")
        page = reverse(self.DECIDE, args=[club.pk])
        support.post(page, {"decision": "pass_on", "reason": "The owner is frozen."})
        assert roles(club)[people[1].pk] == "owner"
        assert roles(club)[people[0].pk] == "officer"
        shown = support.get(reverse("admin:tables_club_change", args=[club.pk])).text
        assert people[2].player_name in shown

    def test_the_games_role_only_reads_clubs(self, client, club):
        client.force_login(staff_member("games"))
        page = reverse(self.DECIDE, args=[club.pk])
        assert client.post(page, {"decision": "close", "reason": "x"}).status_code == 403
        assert reload(club).closed_at is None
