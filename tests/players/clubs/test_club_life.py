"""Clubs: chat, tables, the weekly evening and the season."""

import re
from datetime import UTC, date, datetime, time, timedelta
from urllib.parse import quote

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.api_tokens.services import make_token
from accounts.models import Scope
from accounts.people.closing import freeze
from config.account_data.closing import close_account
from config.account_data.export import export_account_data
from core.models import OutgoingEmail
from players.clubs import services
from players.clubs.chat import hide_line, list_lines, post_in_club, report_in_club
from players.clubs.evenings import (
    compute_next_evening,
    end_evening,
    format_evening_kind,
    open_evenings,
    set_evening,
    suggest_evening,
)
from players.clubs.season import (
    count_points,
    get_current_season,
    rank_members,
    season_after,
    season_before,
)
from players.clubs.selectors import tables_of_club
from players.refusals import MEMBERS_ONLY, NoEvening
from players.services import block
from tables.chat.moderation import ModeratedLine
from tables.models import (
    Admission,
    ChatLine,
    Club,
    HostBounds,
    HouseRules,
    Match,
    Report,
    ReportReason,
    Table,
    TableTemplate,
)
from tables.refusals import (
    CHAT_IS_OFF,
    CLUB_ONLY,
    NO_SUCH_PLAYER,
    NOTHING_SAID,
    OFFICERS_ONLY,
    SAID_TOO_MUCH,
    TOO_MANY_REPORTS,
)
from tables.seating.hosting.private_tables import HostTerms, open_hosted_table
from tables.seating.selectors import may_see
from tables.seating.supply import keep_supplied
from tests.accounts.staff import member as staff_member
from tests.accounts.staff import office
from tests.given import reload, require
from tests.players.clubs.clubbing import expect_refusal, read_club
from tests.refusals import refused
from tests.tables.driving import end_match, let_time_pass, list_seated, make_kind, seat_all

KIND = "indian:points"


def in_days(number):
    """Return the local date this many days from now."""
    return timezone.localdate() + timedelta(days=number)


def evening(**terms):
    """Return the terms of a club evening. The first is in three days at 20:00 by default."""
    return {"first": in_days(3), "at": time(20, 0), "kind": KIND, "seats": 4, **terms}


def say(club, person, text):
    return post_in_club(club_id=club.pk, user_id=person.pk, line=ModeratedLine(text=text))


def list_texts(club, person):
    return [line.text for line in list_lines(club_id=club.pk, user_id=person.pk)]


class TestTalk:
    def test_members_read_what_members_say(self, club, people):
        say(club, people[0], "  Hello\tall ")
        post_in_club(club_id=club.pk, user_id=people[2].pk, line=ModeratedLine(phrase="thanks"))
        assert list_texts(club, people[3]) == ["Hello all", "Thank you"]

    @pytest.mark.parametrize("text", ["", "https://example.com", "x" * 161, "\u200b"])
    def test_the_rules_of_table_chat_hold_in_clubs(self, club, people, text):
        with refused(NOTHING_SAID):
            say(club, people[2], text)
        assert not ChatLine.objects.exists()

    def test_lines_in_clubs_and_at_tables_share_a_limit(self, club, people):
        for number in range(5):
            say(club, people[2], f"Line {number}")
        with refused(SAID_TOO_MUCH):
            say(club, people[2], "One more")
        assert ChatLine.objects.count() == 5

    def test_strangers_removed_and_frozen_people_say_nothing(self, club, people):
        services.remove(club_id=club.pk, user_id=people[0].pk, other_id=people[2].pk)
        freeze(user_id=people[3].pk, staff_id=people[0].pk, reason="test")
        for person in (people[4], people[2], people[3]):
            with refused(MEMBERS_ONLY):
                say(club, person, "Hello")
        assert not ChatLine.objects.exists()

    def test_a_closed_club_or_a_site_without_chat_has_no_talk(self, club, people, settings):
        settings.TABLE_CHAT = "off"
        with refused(CHAT_IS_OFF):
            say(club, people[2], "Hello")
        settings.TABLE_CHAT = "all"
        services.close_by_staff(club_id=club.pk, reason="test")
        with refused(MEMBERS_ONLY):
            say(club, people[2], "Hello")
        assert not ChatLine.objects.exists()

    def test_blocked_members_do_not_read_each_other(self, club, people):
        say(club, people[2], "Hello")
        block(user_id=people[3].pk, other_id=people[2].pk)
        assert list_texts(club, people[3]) == []
        assert list_texts(club, people[1]) == ["Hello"]

    def test_a_hidden_line_is_still_in_a_report(self, club, people):
        line = say(club, people[2], "Rude words")
        with refused(OFFICERS_ONLY):
            hide_line(club_id=club.pk, user_id=people[3].pk, line_id=line.pk)
        assert list_texts(club, people[3]) == ["Rude words"]
        hide_line(club_id=club.pk, user_id=people[1].pk, line_id=line.pk)
        assert list_texts(club, people[3]) == []
        report = report_in_club(
            reporter_id=people[3].pk, reported_id=people[2].pk, club_id=club.pk,
            reason=ReportReason.ABUSE, words="See above",
        )  # fmt: skip
        assert (report.club, report.table, report.status) == (club, None, "OPEN")
        assert [line["line"] for line in report.chat] == ["Rude words"]

    def test_reports_in_clubs_are_limited_and_about_members(self, club, people):
        def tell(by, about):
            return report_in_club(
                reporter_id=by.pk, reported_id=about.pk, club_id=club.pk,
                reason=ReportReason.OTHER, words="",
            )  # fmt: skip

        for by, about, refusal in (
            (people[4], people[2], MEMBERS_ONLY),
            (people[2], people[4], NO_SUCH_PLAYER),
            (people[2], people[2], NO_SUCH_PLAYER),
        ):
            with refused(refusal):
                tell(by, about)
        for _ in range(3):
            tell(people[2], people[3])
        with refused(TOO_MANY_REPORTS):
            tell(people[2], people[3])
        assert Report.objects.count() == 3

    def test_members_talk_and_report_by_forms(self, client, club, people):
        client.force_login(people[2])
        client.post(reverse("clubs:say", args=[club.pk]), {"text": "Good evening"})
        assert "Good evening" in read_club(client, club)
        about = reverse("clubs:report", args=[club.pk, people[3].pk])
        assert people[3].player_name in client.get(about).text
        sent = {"player": str(people[3].pk), "reason": "ABUSE", "words": "Rude"}
        assert client.post(about, sent).status_code == 302
        report = Report.objects.get()
        assert (report.reported, report.club, report.words) == (people[3], club, "Rude")
        listed = office(staff_member("support")).get(reverse("admin:tables_report_changelist")).text
        assert "Neem Club" in listed

    def test_lines_of_a_member_are_exported_and_deleted(self, club, people):
        say(club, people[2], "Good evening")
        data = export_account_data(people[2].pk).decode()
        for kept in ('"text": "Good evening"', '"club__name": "Neem Club"', '"role": "member"'):
            assert kept in data
        close_account(user_id=people[2].pk)
        assert not ChatLine.objects.exists()


def club_table(club, host, seats=2):
    terms = HostTerms(
        game="indian", preset="points", seats=seats, admission=Admission.CLUB, club_id=club.pk
    )
    return open_hosted_table(terms, user_id=host.pk)


class TestTables:
    def test_only_members_sit_at_a_club_table_and_need_no_link(self, club, people):
        table = club_table(club, people[1], seats=4)
        assert (table.name, table.club, table.is_open_to_guests) == ("Neem Club", club, False)
        assert may_see(table_id=table.pk, user_id=people[2].pk)
        assert not may_see(table_id=table.pk, user_id=people[4].pk, invite=table.invite_code)
        assert not may_see(table_id=table.pk, user_id=None, invite=table.invite_code)
        seat_all(table, people[2], invite="")
        with refused(CLUB_ONLY):
            seat_all(table, people[4])
        services.remove(club_id=club.pk, user_id=people[0].pk, other_id=people[3].pk)
        with refused(CLUB_ONLY):
            seat_all(table, people[3])
        assert list_seated(table) == [people[1].pk, people[2].pk]

    def test_only_officers_open_a_club_table(self, club, people):
        for person in (people[2], people[4]):
            with refused(OFFICERS_ONLY):
                club_table(club, person)
        assert not Table.objects.exists()

    def test_officers_open_a_club_table_by_the_host_sheet(self, client, club, people):
        client.force_login(people[1])
        address = reverse("tables:host", args=["indian"])
        assert "Members of Neem Club" in client.get(f"{address}?admission=club-{club.pk}").text
        sent = {
            "rules": "points", "filled": "points", "seats": "4", "pace": "usual", "stake": "0",
            "admission": f"club-{club.pk}", "watchers": "on", "chat": "on", "strength": "medium",
        }  # fmt: skip
        assert client.post(address, sent).status_code == 302
        assert tables_of_club(club) == [Table.objects.get(club=club, admission="club")]
        client.force_login(people[2])
        assert "Members of Neem Club" not in client.get(address).text
        assert client.post(address, sent).status_code == 200
        assert Table.objects.count() == 1
        assert "Neem Club" in read_club(client, club)


class TestEvening:
    FRIDAY = datetime(2026, 11, 27, 12, 0, tzinfo=UTC)

    def set(self, club, person, **terms):
        set_evening(club_id=club.pk, user_id=person.pk, **evening(**terms))
        return reload(club)

    def test_the_next_evening_is_computed_in_the_sites_time(self, settings):
        settings.TIME_ZONE = "Asia/Kolkata"
        with timezone.override("Asia/Kolkata"):
            found = compute_next_evening(4, time(20, 0), self.FRIDAY)
            assert found == datetime(2026, 11, 27, 14, 30, tzinfo=UTC)
            assert compute_next_evening(4, time(20, 0), found) == found + timedelta(days=7)
            assert compute_next_evening(3, time(20, 0), found) == found + timedelta(days=6)
            next_week = self.FRIDAY + timedelta(days=7, minutes=-30)
            assert compute_next_evening(4, time(17, 0), self.FRIDAY) == next_week

    def test_officers_set_an_evening_within_what_is_offered(self, club, people):
        for person in (people[2], people[4]):
            expect_evening_refusal(OFFICERS_ONLY, club, person)
        for day in (-1, 57):
            expect_evening_refusal(NoEvening, club, people[1], first=in_days(day))
        expect_evening_refusal(NoEvening, club, people[1], first=in_days(0), at=time(0, 0))
        expect_evening_refusal(NoEvening, club, people[1], kind="chess:blitz")
        assert self.set(club, people[1], seats=99).evening_seats == 6
        assert timezone.localtime(club.evening_at).date() == in_days(3)
        assert club.evening_weekday == in_days(3).weekday()
        end_evening(club_id=club.pk, user_id=people[0].pk)
        assert (reload(club).evening_at, club.evening_weekday) == (None, None)

    def house_rules(self, **changes):
        made = HouseRules.objects.create(
            name="Grandmother's", game="indian", preset="points", changes=changes
        )
        make_kind(house_rules=made, name="Room")
        return made

    def test_an_evening_may_be_played_by_house_rules(self, club, people, client):
        house = self.house_rules(turn_seconds=40)
        kind = f"indian:house-{house.pk}"
        found = self.set(club, people[0], kind=kind)
        assert (found.evening_rules, found.evening_house_rules) == ("points", house)
        assert format_evening_kind(found) == kind
        assert "We play Grandmother&#x27;s." in read_club(client, club, people[2])
        assert self.open_evening(club) == 1
        [table] = tables_of_club(club)
        assert (table.house_rules_id, table.rules["turn_seconds"]) == (house.pk, 40)
        # House rules not open to hosts, and unknown ones, are refused.
        HostBounds.objects.create(game="indian", names=["first_drop"])
        for unknown in (kind, "indian:house-99999", "indian:house-", "gin:house-1"):
            expect_evening_refusal(NoEvening, club, people[1], kind=unknown)
        assert self.set(club, people[0]).evening_house_rules is None

    def test_an_evening_of_deleted_house_rules_uses_their_base_rules(self, club, people):
        house = self.house_rules(turn_seconds=40)
        self.set(club, people[0], kind=f"indian:house-{house.pk}")
        TableTemplate.objects.all().delete()
        house.delete()
        assert self.open_evening(club) == 1
        [table] = tables_of_club(club)
        assert (table.house_rules_id, table.format) == (None, "POINTS")

    def open_evening(self, club, ago=timedelta()):
        Club.objects.filter(pk=club.pk).update(evening_at=timezone.now() - ago)
        return open_evenings(now=timezone.now())

    def test_an_evening_opens_one_table_and_tells_members(self, club, people):
        self.set(club, people[0])
        services.announce_evenings(club_id=club.pk, user_id=people[3].pk, is_told=False)
        freeze(user_id=people[1].pk, staff_id=people[4].pk, reason="test")
        OutgoingEmail.objects.all().delete()
        assert self.open_evening(club) == 1
        assert open_evenings(now=timezone.now()) == 0
        [table] = tables_of_club(club)
        assert (table.admission, table.opened_by, table.max_seats, table.is_free) == (
            "club", None, 4, True,
        )  # fmt: skip
        told = OutgoingEmail.objects.order_by("user").values_list("user", "subject")
        # Neither a frozen member nor one who has switched notices off gets it.
        assert list(told) == [(people[at].pk, "Neem Club plays now") for at in (0, 2)]
        later = reload(club).evening_at
        assert timezone.now() < later <= timezone.now() + timedelta(days=7)
        seat_all(table, people[2])

    def test_the_table_of_an_evening_stays_open_longer(self, club, people):
        self.set(club, people[0])
        self.open_evening(club)
        Table.objects.update(created_at=timezone.now() - timedelta(minutes=90))
        keep_supplied()
        assert len(tables_of_club(club)) == 1
        Table.objects.update(created_at=timezone.now() - timedelta(minutes=150))
        keep_supplied()
        assert tables_of_club(club) == []

    @pytest.mark.parametrize(
        ("game", "ago"),
        [("indian", timedelta(hours=3)), ("chess", timedelta())],
        ids=["long past", "a game not offered"],
    )
    def test_an_evening_that_cannot_be_played_opens_no_table(self, club, people, game, ago):
        self.set(club, people[0])
        Club.objects.update(evening_game=game)
        assert self.open_evening(club, ago=ago) == 0
        assert not Table.objects.exists()
        assert not OutgoingEmail.objects.exists()
        assert reload(club).evening_at > timezone.now()

    def test_a_closed_club_has_no_evening(self, club, people):
        self.set(club, people[0])
        services.close_by_staff(club_id=club.pk, reason="test")
        assert reload(club).evening_at is None
        assert open_evenings(now=timezone.now() + timedelta(days=8)) == 0
        assert not Table.objects.exists()

    def test_the_form_begins_with_next_friday_or_the_next_evening(self, club, people):
        with timezone.override("Asia/Kolkata"):
            friday = date(2026, 11, 27)
            assert suggest_evening(club, self.FRIDAY) == (friday, time(20, 0))
            late = self.FRIDAY + timedelta(hours=3)
            assert suggest_evening(club, late) == (friday + timedelta(days=7), time(20, 0))
        found = self.set(club, people[0], at=time(18, 30))
        assert suggest_evening(found, timezone.now()) == (in_days(3), time(18, 30))

    def test_members_pass_the_invitation_on(self, client, club, people):
        client.force_login(people[2])
        page = read_club(client, club)
        link = f"http://testserver/clubs/{club.pk}/?invite={club.invite_code}"
        assert f'href="{link}"' in page
        assert f"text={quote(f'Join my club “{club.name}”: {link}', safe='')}" in page
        assert re.search(r'class="invite__code"[^>]*><svg', page)

    def test_officers_set_and_end_an_evening_by_the_form(self, client, club, people):
        client.force_login(people[1])
        address = reverse("clubs:evening", args=[club.pk])
        first = in_days(3)
        sent = {"first": first.isoformat(), "at": "20:00", "kind": KIND, "seats": "4"}
        assert client.post(address, {**sent, "kind": "chess:x"}).status_code == 200
        past = client.post(address, {**sent, "first": in_days(-1).isoformat()})
        assert "Choose a time in the next eight weeks" in past.text
        assert reload(club).evening_at is None
        assert client.post(address, sent).status_code == 302
        assert reload(club).evening_at is not None
        page = read_club(client, club)
        assert f"{first:%a} {first.day} {first:%b}, 20:00 IST</time>." in page
        assert f'value="{first.isoformat()}"' in client.get(address).text
        client.post(reverse("clubs:told", args=[club.pk]))
        assert club.members.get(user=people[1]).is_told is False
        client.post(address, {"end": "1"})
        assert reload(club).evening_at is None


def expect_evening_refusal(refusal, club, person, **terms):
    expect_refusal(refusal, set_evening, club_id=club.pk, user_id=person.pk, **evening(**terms))


class TestSeason:
    def test_a_member_gets_a_point_for_every_person_beaten(self):
        def seats(*users):
            return {str(seat): {"user": user, "bot": user >= 90} for seat, user in enumerate(users)}

        matches = [
            (seats(1, 2, 3), {"0": 1, "1": 2, "2": 2}),
            (seats(1, 2), {"0": 2, "1": 1}),
            (seats(1, 90), {"0": 1, "1": 2}),  # bots do not count
            (seats(2, 3, 91), {"0": 3, "1": 2, "2": 1}),
        ]
        assert count_points(matches) == {1: (2, 1, 2), 2: (1, 1, 3), 3: (1, 1, 2)}

    def test_seasons_are_months(self):
        assert season_before(date(2027, 1, 1)) == date(2026, 12, 1)
        assert season_before(date(2026, 12, 1)) == date(2026, 11, 1)
        assert season_after(date(2026, 12, 1)) == date(2027, 1, 1)
        assert season_after(date(2026, 11, 1)) == date(2026, 12, 1)

    @pytest.fixture
    def played(self, club, people):
        """A finished match of the officer and a member at the club's table."""
        table = club_table(club, people[1])
        seat_all(table, people[2])
        let_time_pass(table)
        return end_match(reload(table))

    def test_the_season_ranks_members_by_the_matches_of_the_month(self, club, people, played):
        ranks = require(played.result)["ranks"]
        winner = people[1] if ranks["0"] < ranks["1"] else people[2]
        loser = people[2] if winner == people[1] else people[1]
        lines = rank_members(club.pk, get_current_season())
        assert [(line.place, line.person) for line in lines] == [(1, winner), (2, loser)]
        assert [(line.points, line.wins, line.matches) for line in lines] == [(1, 1, 1), (0, 0, 1)]
        last = season_before(get_current_season())
        assert rank_members(club.pk, last) == []
        Match.objects.update(ended_at=timezone.make_aware(datetime.combine(last, time(12))))
        assert rank_members(club.pk, get_current_season()) == []
        assert len(rank_members(club.pk, last)) == 2
        services.remove(club_id=club.pk, user_id=people[0].pk, other_id=people[2].pk)
        assert [line.person for line in rank_members(club.pk, last)] == [people[1]]

    def test_programs_read_the_club_and_its_season(self, client, club, people, played):
        def read(person, path):
            _token, secret = make_token(user_id=person.pk, name="t", scopes=[Scope.READ])
            answer = client.get(
                f"/api/v1/clubs/{path}", headers={"authorization": f"Bearer {secret}"}
            )
            return answer.status_code, answer.json()

        status, answer = read(people[2], f"{club.pk}/")
        assert (status, answer["name"], answer["members"], answer["role"]) == (
            200, "Neem Club", 4, "member",
        )  # fmt: skip
        assert len(answer["people"]) == 4
        assert read(people[2], "")[1]["results"][0]["id"] == club.pk
        status, answer = read(people[2], f"{club.pk}/season/")
        assert (status, [line["points"] for line in answer["results"]]) == (200, [1, 0])
        assert read(people[2], f"{club.pk}/season/?season=last")[1]["results"] == []
        status, answer = read(people[4], f"{club.pk}/")
        assert (status, answer["people"], answer["tables"], answer["role"]) == (200, [], [], "")
        status, answer = read(people[4], f"{club.pk}/season/")
        assert (status, answer["code"]) == (404, "no_such_club")
        assert read(people[4], "999999/")[0] == 404
