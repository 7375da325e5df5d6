"""Table chat: permissions, recipients, limits, ignored players and reports."""

import re
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone

from accounts.desk.staff_roles import Role
from core.refusals import Refusal, RefusalKind
from tables.chat import moderation
from tables.chat.moderation import LINES_AT_ONCE, PHRASES, ModeratedLine
from tables.chat.selectors import list_chat
from tables.chat.services import (
    OPEN_REPORTS_ABOUT_ONE,
    REPORTS_A_DAY,
    REPORTS_SHOWN,
    ignore,
    list_reports_by,
    listen_again,
    post_line,
)
from tables.models import ChatLine, IgnoredPlayer, Report, ReportReason, ReportStatus, Table
from tables.refusals import (
    CHAT_IS_OFF,
    NO_SUCH_PLAYER,
    NOTHING_SAID,
    PHRASES_ONLY,
    SAID_TOO_MUCH,
    TOO_MANY_REPORTS,
    NotSeated,
)
from tests.accounts.staff import member, office
from tests.given import reload, require
from tests.refusals import refused
from tests.tables.chat.talking import file_report, list_lines, say_as
from tests.tables.driving import player_at


def speak(table, seat, text="", phrase=""):
    return say_as(player_at(table, seat), table, text, phrase)


def list_texts(table):
    return [line.phrase or line.text for line in list_chat(table_id=table.pk, length=100)]


def test_words_and_phrases_are_kept_in_order(table):
    speak(table, 0, "  Well\tdone,\u202e  Player 2! \x07 ")
    speak(table, 1, phrase="thanks")
    speak(table, 0, phrase="clap")
    assert list_texts(table) == ["Well done, Player 2!", "thanks", "clap"]


NOT_SAID = [
    ModeratedLine(),
    ModeratedLine(text="   "),
    ModeratedLine(text="\u200b\u200e"),
    ModeratedLine(text="x" * 161),
    ModeratedLine(text="play at https://example.com"),
    ModeratedLine(text="write to me at WWW.elsewhere"),
    ModeratedLine(text="rummy-cheats.com has it"),
    ModeratedLine(text="evil.tk"),
    ModeratedLine(text="t.me/x"),
    ModeratedLine(text="evil\u3002com"),
    ModeratedLine(text="evil\uff61com"),
    ModeratedLine(text="\uff45\uff56\uff49\uff4c\uff0e\uff43\uff4f\uff4d"),
    ModeratedLine(text="evil\u2024com"),
    ModeratedLine(text="ev\u200bil.\u00adtk"),
    ModeratedLine(text="evil .com"),
    ModeratedLine(text="evil[.]com"),
    ModeratedLine(text="evil (dot) com"),
    ModeratedLine(text="\u0430\u0440.\u0440\u0444"),
    ModeratedLine(text="site.\u092d\u093e\u0930\u0924"),
    ModeratedLine(text="tg://join"),
    ModeratedLine(text="come to 203.0.113.7"),
    *(
        ModeratedLine(text=invisible * 3)
        for invisible in (
            *"\u2060\u00ad\u061c\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u180b\u180e\ue000",
            "\U000e0041",
            "\U000e0100",
            "\U000e0fff",
            "\u0301",
            "\ufe0f",
        )
    ),
    ModeratedLine(phrase="insult"),
]


def is_refused(table, line):
    try:
        post_line(table_id=table.pk, user_id=player_at(table, 0).pk, line=line)
    except Refusal as refusal:
        return refusal.kind == NOTHING_SAID
    return False


def test_links_and_empty_lines_are_refused(table):
    assert [ascii(line) for line in NOT_SAID if not is_refused(table, line)] == []
    assert not ChatLine.objects.exists()


SAID = [
    ("Wait. I have 3.5 points, or 3.", "Wait. I have 3.5 points, or 3."),
    ("nice...you won", "nice...you won"),
    ("wait. in a minute", "wait. in a minute"),
    (
        "\u0915\u094d\u0937\u093f \u0921\u093c\u0940\u0902",
        "\u0915\u094d\u0937\u093f \u0921\u093c\u0940\u0902",
    ),
    ("\u2764\ufe0f \U0001f44d\U0001f3fd", "\u2764\ufe0f \U0001f44d\U0001f3fd"),
    ("\U0001fae9", "\U0001fae9"),  # newer than the Unicode data of Python 3.11
    ("hel\u200blo\u202e\u061c", "hello"),
    ("a" + 150 * "\u0301" + "b", "a" + 4 * "\u0301" + "b"),
    ("दुसर\u094d\u200dया ರಾಜ್\u200cಕುಮಾರ್ র\u200d্যাক", "दुसर\u094d\u200dया ರಾಜ್\u200cಕುಮಾರ್ র\u200d্যাক"),
    ("می\u200cخواهم", "می\u200cخواهم"),  # noqa: RUF001
    ("\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f468\u200d\U0001f469\u200d\U0001f467"),
    ("\u2764\ufe0f\u200d\U0001f525", "\u2764\ufe0f\u200d\U0001f525"),
    ("\U0001f469\U0001f3fd\u200d\u2695\ufe0f", "\U0001f469\U0001f3fd\u200d\u2695\ufe0f"),
    ("\U0001f642\u200d\u2194\ufe0f", "\U0001f642\u200d\u2194\ufe0f"),
    ("a\u200db \u200c\U0001f525\u200d!", "ab \U0001f525!"),
    ("क्\u200d\u200d\u200bष", "क्\u200dष"),
    ("क" + 60 * "\u094d\u200d", "क" + 4 * "\u094d\u200d"),
    ("x" * 160, "x" * 160),  # the longest line
]


def test_a_line_is_kept_without_invisible_marks(table):
    for said, kept in SAID:
        speak(table, 0, said)
        assert list_texts(table) == [kept]
        ChatLine.objects.all().delete()  # nobody writes that fast


def test_the_database_keeps_words_of_watchers_out(table, make_player):
    with pytest.raises(IntegrityError), transaction.atomic():
        ChatLine.objects.create(table=table, user=make_player(), text="hint", from_watcher=True)


@pytest.mark.parametrize(
    ("changed", "refusal"),
    [
        ({"allows_watchers": False}, NotSeated),
        ({"sent_away": ["watcher"]}, NotSeated),
        ({"allows_chat": False}, CHAT_IS_OFF),
    ],
    ids=str,
)
def test_nobody_talks_where_they_may_not_watch(table, make_player, changed, refusal):
    watcher = make_player()
    if "sent_away" in changed:
        changed = {"sent_away": [watcher.pk]}
    Table.objects.filter(pk=table.pk).update(invite_code="a-code", **changed)
    with refused(refusal):
        say_as(watcher, table, phrase="hello")
    assert not ChatLine.objects.exists()


def test_watchers_do_not_talk_too_fast_alone_or_together(table, make_player, monkeypatch):
    watcher = make_player()
    for _ in range(LINES_AT_ONCE):
        say_as(watcher, table, phrase="wow")
    with refused(SAID_TOO_MUCH):
        say_as(watcher, table, phrase="wow")
    monkeypatch.setattr(moderation, "WATCHERS_LINES_AT_ONCE", LINES_AT_ONCE)
    with refused(SAID_TOO_MUCH):
        say_as(make_player(), table, phrase="wow")
    assert ChatLine.objects.count() == LINES_AT_ONCE
    speak(table, 0, "the players go on")


def test_a_watcher_who_talks_can_be_ignored_and_reported(table, make_player):
    watcher, other = make_player(), make_player()
    with refused(NO_SUCH_PLAYER):
        ignore(user_id=other.pk, ignored_id=watcher.pk, table_id=table.pk)
    speak(table, 0, "for players")
    say_as(watcher, table, phrase="sad")
    assert [line["line"] for line in file_report(table, other, watcher).chat] == ["sad"]
    ignore(user_id=other.pk, ignored_id=watcher.pk, table_id=table.pk)
    assert list_lines(table, other, is_watching=True) == []
    with refused(NO_SUCH_PLAYER):
        ignore(user_id=watcher.pk, ignored_id=other.pk, table_id=table.pk)


def test_nobody_talks_too_fast(table):
    for number in range(5):
        speak(table, 0, f"line {number}")
    with refused(SAID_TOO_MUCH):
        speak(table, 0, "line 6")
    speak(table, 1, "I may")
    ChatLine.objects.update(said_at=timezone.now() - timedelta(minutes=1))
    speak(table, 0, "again")
    assert list_texts(table)[-2:] == ["I may", "again"]


def test_the_operator_may_allow_phrases_alone_or_nothing(table, settings):
    settings.TABLE_CHAT = "phrases"
    with refused(PHRASES_ONLY):
        speak(table, 0, "words")
    speak(table, 0, phrase="hello")
    settings.TABLE_EMOTES = False
    with refused(NOTHING_SAID):
        speak(table, 0, phrase="clap")
    settings.TABLE_CHAT = "off"
    with refused(CHAT_IS_OFF):
        speak(table, 0, phrase="hello")
    assert list_texts(table) == ["hello"]


def test_the_page_offers_what_may_be_said_and_names_every_emote(client, table, settings):
    """Even with emotes off, the browser needs the names of all emotes, to leave those in old lines out."""
    client.force_login(player_at(table, 0))
    emotes = [phrase.code for phrase in PHRASES if phrase.is_emote]
    for allowed in (True, False):
        settings.TABLE_EMOTES = allowed
        page = client.get(f"/tables/{table.pk}/").text
        offered = re.findall(r'data-phrase="(\w+)">', page)
        words = [phrase.code for phrase in PHRASES if not phrase.is_emote]
        assert offered == [*(emotes if allowed else []), *words]
        assert f'data-emotes="{" ".join(emotes)}"' in page
        assert all(f'"chat_{phrase.code}": ' in page for phrase in PHRASES)


def test_the_table_page_shows_every_refusal_of_talk(settings):
    """A refusal of chat that session.js does not list would throw away the groups that the player prepares."""
    session = (settings.BASE_DIR / "static/js/table/controllers/session.js").read_text()
    shown = set(
        re.findall(r'"(\w+)"', require(re.search(r"OF_TALK = .*?;", session, re.DOTALL))[0])
    )
    named = vars(moderation).values()
    kinds = {one.code for one in named if isinstance(one, RefusalKind)}
    classes = {one.code for one in named if isinstance(one, type) and issubclass(one, Refusal)}
    raised = (kinds | classes) - {Refusal.code}
    # A watcher has no groups to lose.
    assert raised - {NotSeated.code} - shown == set(), "Add these to OF_TALK of session.js."
    assert len(raised) > 4


def test_lines_of_an_ignored_player_are_not_shown(table):
    one, other = player_at(table, 0), player_at(table, 1)
    speak(table, 0, "one")
    speak(table, 1, "other")
    for _ in range(2):
        ignore(user_id=one.pk, ignored_id=other.pk, table_id=table.pk)
    assert [line["text"] for line in list_lines(table, one)] == ["one"]
    assert [line["text"] for line in list_lines(table, other)] == ["one", "other"]
    listen_again(user_id=one.pk, ignored_id=other.pk)
    assert len(list_lines(table, one)) == 2


@pytest.fixture
def filed(table):
    speak(table, 1, "You are a fool")
    people = player_at(table, 0), player_at(table, 1)
    return file_report(table, *people, reason=ReportReason.ABUSE, words="He insults me.")


def test_a_report_keeps_the_chat_and_waits_for_the_staff(filed):
    assert (filed.status, filed.match) == (ReportStatus.OPEN, None)
    assert [(line["player"], line["line"]) for line in filed.chat] == [
        (filed.reported.player_name, "You are a fool")
    ]


def test_reports_of_one_player_are_limited(client: Client, table):
    one, other = player_at(table, 0), player_at(table, 1)
    client.force_login(one)
    fields = {"player": other.pk, "reason": "OTHER", "words": ""}
    for _ in range(OPEN_REPORTS_ABOUT_ONE + 2):
        assert client.post(f"/tables/{table.pk}/report/", fields).status_code == 302
    assert Report.objects.count() == OPEN_REPORTS_ABOUT_ONE
    assert "You have reported a lot already" in client.get(f"/tables/{table.pk}/").text
    # Decided reports make room for new ones, up to the daily limit.
    while Report.objects.count() < REPORTS_A_DAY:
        Report.objects.update(status=ReportStatus.DISMISSED)
        file_report(table, one, other)
    Report.objects.update(status=ReportStatus.DISMISSED)
    with refused(TOO_MANY_REPORTS):
        file_report(table, one, other)
    assert Report.objects.count() == REPORTS_A_DAY
    Report.objects.update(created_at=Now() - timedelta(days=1))
    file_report(table, one, other)
    file_report(table, other, one)
    filed = Report.objects.filter(reporter=one).count()
    assert len(list_reports_by(one.pk)) == REPORTS_SHOWN < filed


def test_nobody_reports_or_ignores_strangers_or_themselves(table, make_player):
    one, stranger = player_at(table, 0), make_player()
    for other in (stranger, one):
        with refused(NO_SUCH_PLAYER):
            ignore(user_id=one.pk, ignored_id=other.pk, table_id=table.pk)
        with refused(NO_SUCH_PLAYER):
            file_report(table, one, other)
    assert not IgnoredPlayer.objects.exists()
    assert not Report.objects.exists()


def test_the_table_page_has_forms_to_ignore_and_to_report(client: Client, table):
    one, other = player_at(table, 0), player_at(table, 1)
    client.force_login(one)
    assert client.post(f"/tables/{table.pk}/ignore/", {"player": other.pk}).status_code == 302
    assert IgnoredPlayer.objects.get().ignored == other
    client.post(f"/tables/{table.pk}/ignore/", {"player": other.pk, "listen": "yes"})
    assert not IgnoredPlayer.objects.exists()
    fields = {"player": other.pk, "reason": "COLLUSION", "words": "They tell each other cards."}
    client.post(f"/tables/{table.pk}/report/", fields)
    assert Report.objects.get().reason == "COLLUSION"
    client.post(f"/tables/{table.pk}/report/", {**fields, "reason": "BORED"})
    client.post(f"/tables/{table.pk}/report/", {**fields, "player": "x"})
    assert Report.objects.count() == 1


def test_staff_handle_reports_in_the_administration(filed):
    boss = member(Role.SUPPORT)
    desk = office(boss)
    assert "Insults or threats" in desk.get("/admin/tables/report/").text
    url = f"/admin/tables/report/{filed.pk}/change/"
    assert "You are a fool" in desk.get(url).text
    desk.post(url, {"status": "DISMISSED", "note": "A joke between friends."})
    assert (reload(filed).status, filed.handled_by) == ("DISMISSED", boss)


async def test_players_hear_a_line_and_watchers_do_not(scene):
    async with scene.connect(0, 1, "watcher") as (first, second, watcher):
        await first.send(type="say", phrase="", text="Good morning")
        heard = (await first.receive_until("chat"))["lines"]
        assert [line["text"] for line in heard] == ["Good morning"]
        assert (await second.receive_until("chat"))["lines"] == heard
        await watcher.send(type="say", phrase="", text="The king, Nila!")
        assert (await watcher.receive_until("error"))["code"] == "phrases_only"
        assert all(message["type"] != "chat" for message in watcher.received)
        async with scene.connect(1) as (again,):
            assert (await again.receive_until("chat"))["lines"] == heard
