"""Support requests, some about deals, with the deal's record as evidence."""

from typing import Any

import pytest
from django.contrib.admin import site
from django.core import mail
from django.db.models import TextField
from django.forms import Form, TextInput
from django.urls import reverse
from django.utils import timezone

from accounts.desk.staff_roles import Role
from core.administration.pages import LONGEST_REASON, reason_field
from core.emails.sending import send_emails
from core.models import OutgoingEmail
from core.models.audit import AuditEntry
from core.values.lines import AdminLines
from games.analysis.records import claim
from history.models import CaseState, CaseTopic, SupportCase, SupportMessage
from history.models.support import LONGEST_MESSAGE
from history.records import deal_record, verdicts_on
from history.refusals import CASE_IS_CLOSED, NO_SUCH_DEAL, NOTHING_WRITTEN, TOO_MANY_CASES
from history.selectors import find_seat
from history.support import services as support
from history.support.admin import VerdictInWords, describe_verdicts
from tables.models import Match
from tests.accounts.staff import member, office
from tests.given import reload, require
from tests.refusals import refused
from tests.tables.driving import drop, get_match, let_time_pass, player_at, start_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def dropped(make_player, make_table):
    """A match of one deal that ended with a drop, and its players."""
    players = [make_player(), make_player()]
    table = start_match(make_table(), *players)
    let_time_pass(table)
    drop(table)
    return Match.objects.get(table=table), players


def ask(user, text="My bonus is not there.", topic=CaseTopic.MONEY):
    return support.open_case(user_id=user.pk, topic=topic, text=text)


def dispute(user, match, text="I had a pure sequence."):
    return support.dispute_deal(user_id=user.pk, match_id=match.pk, number=1, text=text)


@pytest.fixture
def disputed(dropped):
    """The first player's support request about the deal that ended with a drop."""
    match, (player, _other) = dropped
    return dispute(player, match)


def decide(desk, case, decision, reason):
    address = reverse("admin:history_supportcase_decide", args=[case.pk])
    return desk.post(address, {"decision": decision, "reason": reason}, follow=True)


def test_a_player_writes_and_sees_that_the_request_waits(client, make_player):
    player = make_player()
    client.force_login(player)
    form = {"topic": "MONEY", "text": " Where is my <b>bonus</b>? "}
    answer = client.post("/support/", form, follow=True)
    case = SupportCase.objects.get()
    page = answer.text
    assert answer.redirect_chain == [(f"/support/{case.pk}/", 302)]
    assert "Where is my &lt;b&gt;bonus&lt;/b&gt;?" in page
    assert "waiting for our answer" in page
    assert f"Request {case.pk}" in client.get("/support/").text
    assert [m.text for m in case.messages.all()] == ["Where is my <b>bonus</b>?"]


def test_the_page_tells_visitors_the_address_of_support(client, settings):
    settings.SUPPORT_EMAIL = "help@rummy.example"
    assert "mailto:help@rummy.example" in client.get("/support/").text
    assert client.post("/support/", {"topic": "MONEY", "text": "x"}).status_code == 200
    assert not SupportCase.objects.exists()


def test_a_dispute_keeps_the_record_of_the_deal(client, dropped):
    match, (player, _other) = dropped
    client.force_login(player)
    address = reverse("support_deal", args=[match.pk, 1])
    for page in (f"/matches/{match.pk}/", f"/matches/{match.pk}/deals/1/"):
        assert f'href="{address}"' in client.get(page).text
    at_table = reverse("support_table", args=[match.table_id])
    assert f'href="{at_table}"' in client.get(f"/tables/{match.table_id}/").text
    assert client.get(at_table)["Location"] == address
    assert client.post(address, {"text": "The clock jumped."}).status_code == 302
    case = SupportCase.objects.get()
    deal = require(case.deal)
    assert (case.topic, deal.match, deal.number) == (CaseTopic.DEAL, match, 1)
    record: Any = deal_record(match_id=match.pk, number=1)
    assert case.evidence == {"record": record, "verdicts": []}
    assert record["steps"][-1]["move"] == {"kind": "drop"}


def record_with(*steps):
    return {
        "wild": "QS.0",
        "game": "indian",
        "rules": {"name": "points"},
        "players": {"0": "Asha", "1": "Ravi"},
        "steps": list(steps),
    }


HAND = [["2H.0", "3H.0", "4H.0"], ["7C.0", "7D.0", "7S.1"], ["9S.0", "10S.0", "JS.0"]]


def test_the_hand_tool_judges_every_declaration_and_show_again():
    groups = [*HAND, ["KD.0", "KC.0", "KS.0", "KH.1"]]
    declared = {"kind": "declared", "seat": 0, "valid": True, "reason": None}
    shown = {"kind": "shown", "seat": 1, "points": 3}
    loser = [*HAND, ["2C.0", "2D.1", "2S.0", "3D.0"]]
    found = verdicts_on(
        record_with(
            {"seat": 0, "move": {"kind": "discard", "card": "2S.1"}, "events": []},
            {"seat": 0, "move": {"kind": "declare", "groups": groups}, "events": [declared]},
            {"seat": 1, "move": {"kind": "show", "groups": loser}, "events": [shown]},
        )
    )
    first: Any
    first, second = found
    assert (first["seat"], first["question"], first["agree"]) == (0, "check", True)
    assert first["groups"][0] == ["2H", "3H", "4H"]
    assert first["answer"]["kinds"] == ["pure_sequence", "set", "pure_sequence", "set"]
    # Three twos and a three are no meld, so the tool counts 9 points instead of 3.
    assert (second["question"], second["counted"], second["agree"]) == ("score", 3, False)
    assert second["answer"] == {"points": 9}


def test_a_deal_that_is_not_over_cannot_be_disputed(client, table, make_player):
    match = get_match(table)
    for user in (player_at(table, 0), player_at(table, 1), make_player()):
        with refused(NO_SUCH_DEAL):
            dispute(user, match)
        client.force_login(user)
        address = reverse("support_deal", args=[match.pk, 1])
        assert client.post(address, {"text": "x"}).status_code == 404
        assert client.get(reverse("support_table", args=[table.pk]))["Location"] == "/support/"
    assert not SupportCase.objects.exists()


def test_staff_see_a_dispute_with_its_words_verdicts_and_replay(disputed, dropped):
    match, (player, _other) = dropped
    desk = office(member(Role.SUPPORT))
    queue = desk.get("/admin/history/supportcase/", {"state__exact": "OPEN"}).text
    assert player.player_name in queue
    page = desk.get(f"/admin/history/supportcase/{disputed.pk}/change/").text
    for words in ("I had a pure sequence.", "Nobody declared or showed a hand", "drop"):
        assert words in page
    assert f"/admin/tables/match/{match.pk}/change/" in page
    assert page.count('data-region="replay"') == page.count('id="replay-deal"') == 1
    assert f'<option value="{find_seat(match, player.pk)}" selected>' in page
    for absent in ("<pre>", 'href=""', "JSON"):
        assert absent not in page


def test_staff_answer_by_mail_and_the_player_replies(client, disputed):
    player = disputed.user
    desk = office(member(Role.SUPPORT))
    decide(desk, disputed, "answer", "Your clock had run out.")
    assert reload(disputed).state == CaseState.ANSWERED
    assert AuditEntry.objects.get().reason == "Your clock had run out."
    assert send_emails(now=timezone.now()) == 1
    assert mail.outbox[0].to == [player.email]
    assert "Your clock had run out." in mail.outbox[0].body

    client.force_login(player)
    own = f"/support/{disputed.pk}/"
    assert "Your clock had run out." in client.get(own).text
    client.post(own, {"text": "It showed ten seconds."})
    assert reload(disputed).state == CaseState.OPEN
    decide(desk, disputed, "close", "We have looked again: it was zero.")
    assert reload(disputed).state == CaseState.CLOSED
    assert client.post(own, {"text": "No!"}).status_code == 200
    written = disputed.messages.order_by("pk")
    assert [message.is_answer for message in written] == [False, True, False, True]


def test_a_verdict_is_told_in_words():
    groups = [["2H", "3H", "4H"], ["10S", "JKR"]]
    evidence = {
        "record": {"players": {"0": "Asha", "1": "Ravi"}},
        "verdicts": [
            claim(
                0, groups, "check", {"valid": False, "reason": "no_pure"}, counted=True, agree=False
            ),
            claim(1, groups, "score", {"points": 1}, counted=1, agree=True),
        ],
    }
    assert describe_verdicts(evidence) == [
        VerdictInWords("Asha", False, "valid", "not valid, no pure", "2♥ 3♥ 4♥ | 10♠ JKR"),
        VerdictInWords("Ravi", True, "1 point", "1 point", "2♥ 3♥ 4♥ | 10♠ JKR"),
    ]


def test_a_request_about_no_deal_has_the_words_alone(make_player):
    case = ask(make_player(), text="Where is my bonus?")
    page = office(member(Role.SUPPORT)).get(f"/admin/history/supportcase/{case.pk}/change/").text
    assert "Where is my bonus?" in page
    for part in ("replay", "verdicts"):
        assert f'data-region="{part}"' not in page


def test_an_answer_needs_words(disputed):
    answer = decide(office(member(Role.SUPPORT)), disputed, "answer", " ")
    assert "Write a reason" in answer.text
    assert reload(disputed).state == CaseState.OPEN
    assert not OutgoingEmail.objects.exists()


@pytest.mark.parametrize(("role", "status"), [(Role.GAMES, 200), (Role.FINANCE, 403)])
def test_only_support_answers(make_player, role, status):
    case = ask(make_player())
    desk = office(member(role))
    assert desk.get(f"/admin/history/supportcase/{case.pk}/change/").status_code == status
    assert decide(desk, case, "answer", "x").status_code == 403
    assert reload(case).state == CaseState.OPEN


def test_a_case_is_hidden_from_other_players(client, make_player):
    case = ask(make_player())
    client.force_login(make_player())
    assert client.get(f"/support/{case.pk}/").status_code == 404
    assert client.post(f"/support/{case.pk}/", {"text": "x"}).status_code == 404
    client.post(f"/support/{case.pk}/close/")
    assert reload(case).state == CaseState.OPEN
    assert case.messages.count() == 1


def test_limits_and_refusals_write_nothing(client, make_player):
    player = make_player()
    for text in ("", "   ", "x" * 2_001):
        with refused(NOTHING_WRITTEN):
            ask(player, text)
    assert not SupportCase.objects.exists()
    cases = [ask(player, f"Number {number}") for number in range(support.OPEN_CASES_EACH)]
    with refused(TOO_MANY_CASES):
        ask(player)
    client.force_login(player)
    page = client.post("/support/", {"topic": "OTHER", "text": "More"}).text
    assert "You have written a lot already" in page
    client.post(f"/support/{cases[0].pk}/close/")
    with refused(CASE_IS_CLOSED):
        support.write_more(user_id=player.pk, case_id=cases[0].pk, text="Still.")
    left = support.MESSAGES_A_DAY - SupportMessage.objects.count()
    for number in range(left):
        support.write_more(user_id=player.pk, case_id=cases[1].pk, text=f"And {number}")
    with refused(TOO_MANY_CASES):
        support.write_more(user_id=player.pk, case_id=cases[1].pk, text="And more")
    assert SupportMessage.objects.count() == support.MESSAGES_A_DAY


def test_a_message_that_fits_into_its_field_is_taken(client, make_player):
    """Browsers count a line break as one character, but send it as two."""
    client.force_login(make_player())
    lines = ["a" * 39] * (LONGEST_MESSAGE // 40)
    client.post("/support/", {"topic": "MONEY", "text": "\r\n".join([*lines, "b" * 40])})
    assert SupportMessage.objects.count() == 0  # it is really too long
    client.post("/support/", {"topic": "MONEY", "text": "\r\n".join(lines)})
    assert SupportMessage.objects.get().text == "\n".join(lines)


def test_a_reason_that_fits_into_its_field_is_taken(rf):
    """The same rule holds in the administration, where all multi-line fields share one class."""
    text = "\r\n".join(["a" * 9] * (LONGEST_REASON // 10))
    form = Form({"reason": text})
    form.fields["reason"] = reason_field()
    assert form.is_valid()
    assert form.cleaned_data["reason"] == text.replace("\r\n", "\n")
    fields = [
        (admin, field)
        for admin in site._registry.values()
        for field in admin.opts.get_fields()
        if isinstance(field, TextField) and field.editable and not field.choices
    ]
    assert len(fields) > 5
    for admin, field in fields:
        shown = require(admin.formfield_for_dbfield(field, request=rf.get("/")))
        assert isinstance(shown.widget, AdminLines | TextInput), field
